import type { Module } from '../module.ts'
import { searchRoute } from './search.ts'

/** What is on everybody's desk: the search. */
export const desk: Module = { routes: [searchRoute] }
