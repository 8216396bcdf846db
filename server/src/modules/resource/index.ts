import type { Module } from '../module.ts'

export const resource: Module = {}
