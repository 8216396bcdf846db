import { type ClientLog, uploadMost } from '@data-brain/contract/entities/log/logs'
import { post } from '../../http/client.ts'

/** Bytes that one upload may have, with room for its frame. */
const bytesMost = 60_000
/** Longest of what one entry may tell: a stack longer than this tells nothing more. */
const textMost = 8_000

const sizeOf = (entry: ClientLog): number => new TextEncoder().encode(JSON.stringify(entry)).length + 1

const short = (entry: ClientLog): ClientLog => {
  const cut: Record<string, string> = {}
  for (const [name, value] of Object.entries(entry)) if (value) cut[name] = String(value).slice(0, textMost)
  return { type: '', message: '', ...cut }
}

/**
 * Uploads the console's own log, in as many calls as it needs; answers how many entries the server took. The session
 * goes on. Of a failure half-way it throws, and what had been uploaded by then stays uploaded: `sent` tells how many.
 */
export async function uploadLocalLogs(
  entries: readonly ClientLog[],
  sent: (entries: number) => void = () => {},
): Promise<number> {
  let taken = 0
  let done = 0
  let batch: ClientLog[] = []
  let bytes = 2
  const send = async (): Promise<void> => {
    if (batch.length === 0) return
    const answer = await post<{ taken: number }>('blade-auth/oauth/logout', { body: batch })
    taken += answer.taken
    done += batch.length
    sent(done)
    batch = []
    bytes = 2
  }
  for (const entry of entries.map(short)) {
    const size = sizeOf(entry)
    if (batch.length >= uploadMost || bytes + size > bytesMost) await send()
    batch.push(entry)
    bytes += size
  }
  await send()
  return taken
}
