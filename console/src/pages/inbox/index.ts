export { Failure, HeadLink, MessageItem, unlessProblem } from './notice-items.tsx'
export { type Head, type Message, noticesKey, receiptsKey } from './notice-queries.ts'
export { Reading } from './notice-reader.tsx'
export { NoticeText } from './notice-text.tsx'
