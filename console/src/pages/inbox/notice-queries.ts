import type { AnswerOf } from '@data-brain/contract/call'
import type { messages } from '@data-brain/contract/calls/desk'
import type { ownNotices, readNotice } from '@data-brain/contract/calls/notice'

/** What home, the reader's page and the popover have asked for begins with this. */
export const noticesKey = ['notices'] as const

/** Those of them that ask for a receipt. */
export const receiptsKey = [...noticesKey, 'list', 'receipts'] as const

/** A notice as it stands in a reader's list. */
export type Head = AnswerOf<typeof ownNotices>['records'][number]

/** With its text, HTML that the server has cleaned; it is cleaned again before it is shown. */
export type Notice = AnswerOf<typeof readNotice>

/** What the product itself told the user. */
export type Message = AnswerOf<typeof messages>['records'][number]
