import { defineServer } from '@data-brain/server/extension'
import { callRoutes } from './calls.ts'
import { overdue } from './overdue.ts'
import { addLibraryRules } from './rules.ts'

export const server = defineServer({ routes: callRoutes, addRules: addLibraryRules, recurring: [overdue] })
