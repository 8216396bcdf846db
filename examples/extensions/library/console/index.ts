import { definePages } from '@data-brain/console/extension'
import { words } from './words.ts'

export const pages = definePages({
  pages: { library_desk: () => import('./desk.tsx') },
  rowActions: { library_loan: () => import('./actions.ts') },
  words,
})
