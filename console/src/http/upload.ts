import type { AnswerOf, CallDefinition } from '@data-brain/contract/call'
import { callHeaders, HttpProblem, plainWords, settleFailure } from './client.ts'

export interface UploadOptions {
  readonly signal: AbortSignal
  /** Hears how much has left this computer, from 0 to 1. */
  readonly progress: (part: number) => void
}

interface Answer {
  readonly code?: number
  readonly msg?: string
  readonly data?: unknown
}

function read(text: string): Answer | undefined {
  try {
    return JSON.parse(text) as Answer
  } catch {
    // A gateway's page: the status says all there is to say.
    return undefined
  }
}

/**
 * Makes a call that takes one file, and answers its `data`. It may take as long as it moves; what goes wrong is thrown as `HttpProblem` and
 * shown by the caller. `fetch` cannot tell how far it is, so this is the one call that does not use it.
 */
export function upload<const C extends CallDefinition & { readonly upload: true }>(
  { path }: C,
  file: File,
  { signal, progress }: UploadOptions,
): Promise<AnswerOf<C>> {
  return new Promise((done, fail) => {
    if (signal.aborted) return fail(signal.reason)
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    signal.addEventListener('abort', stop)
    const end = () => signal.removeEventListener('abort', stop)
    const refuse = (message: string, status = 0, answer?: Answer) => {
      end()
      const id = request.getResponseHeader('X-Request-Id') ?? undefined
      fail(settleFailure(new HttpProblem(message, status, answer?.code ?? status, answer?.data, id), true))
    }
    request.open('POST', `/api/${path}`)
    for (const [name, value] of Object.entries(callHeaders())) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) progress(loaded / total)
    }
    request.onabort = () => {
      end()
      fail(signal.reason)
    }
    request.onerror = () => refuse(plainWords().offline)
    request.onload = () => {
      const answer = read(request.responseText)
      if (request.status !== 200 || answer?.code !== 200)
        return refuse(answer?.msg || plainWords().unknown, request.status, answer)
      end()
      done(answer.data as AnswerOf<C>)
    }
    const form = new FormData()
    form.append('file', file)
    request.send(form)
  })
}
