import type { Words } from '@data-brain/contract'
import type { ShownSheet } from '@data-brain/contract/fixed-form'
import type { PaperFacts } from '../../kernel/pdf/paper.ts'
import { Problem } from '../../kernel/problem.ts'
import { readInThread } from '../../kernel/reading-thread.ts'
import { threadOf } from '../../kernel/thread.ts'
import type { Page } from './fill.ts'
import type { FormSheet } from './package.ts'
import type { FormLayout } from './shipped.ts'

/** What is known of a form: its sheets with their marks, and how many rows of a list each has room for. */
export interface FormFacts {
  readonly sheets: readonly (Pick<FormSheet, 'name' | 'cells' | 'loose' | 'outside' | 'copies'> & {
    readonly places: number
  })[]
}

/** A workbook to be made: what it is called, and its pages. */
export interface FilledFile {
  readonly name: string
  readonly pages: readonly Page[]
}

export type FormTask =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'fill' | 'show'
      readonly bytes: Uint8Array
      readonly files: readonly FilledFile[]
      readonly foot: string | undefined
      /** Of marks that are cells of a list which belongs to a row: which list. */
      readonly belonging: Readonly<Record<string, string>>
      /** Drawn as a PDF in place of a workbook: what it says of itself. */
      readonly paper?: PaperFacts | undefined
    }

type FillTask = Extract<FormTask, { files: unknown }>

/** What a form may take to be read, and to be filled. */
const reading = { memory: 256, seconds: 15 }
const filling = { memory: 512, seconds: 120 }

const inThread = <E>(data: FormTask | FormLayout, limits: typeof reading, thread = 'worker-form'): Promise<E> =>
  readInThread<never, E>({
    thread: threadOf(thread, import.meta.url),
    data,
    ...limits,
    take: async () => {},
    refusal: (reason: Words) => new Problem('rule_broken', { reason }),
    tooMuch: () =>
      new Problem('rule_broken', {
        reason: {
          zh: '表样过大或过于复杂，请减少内容或少选几条',
          en: 'The form is too large or complex: take something out of it, or choose fewer rows',
        },
      }),
  })

/** Takes a form apart, or refuses it in words. */
export const readForm = (bytes: Uint8Array): Promise<FormFacts> => inThread({ kind: 'read', bytes }, reading)

/** Fills a form: one workbook, a zip of several, or one PDF of all. */
export const fillInThread = (
  bytes: Uint8Array,
  files: readonly FilledFile[],
  told: Pick<FillTask, 'foot' | 'belonging' | 'paper'>,
): Promise<Uint8Array> => inThread({ kind: 'fill', bytes, files, ...told }, filling)

/** How a form looks once it is filled. */
export const showInThread = (
  bytes: Uint8Array,
  files: readonly FilledFile[],
  told: Pick<FillTask, 'foot' | 'belonging'>,
): Promise<readonly ShownSheet[]> => inThread({ kind: 'show', bytes, files, ...told }, reading)

/** The workbook of a form that comes with the product. */
export const writeShipped = (layout: FormLayout): Promise<Uint8Array> => inThread(layout, reading, 'worker-shipped')
