import type { Module } from '../module.ts'

export const auth: Module = {}
