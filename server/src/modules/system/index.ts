import type { Module } from '../module.ts'

export const system: Module = {}
