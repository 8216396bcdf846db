import type { Module } from '../module.ts'

export const flows: Module = {}
