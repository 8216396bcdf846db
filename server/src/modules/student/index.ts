import type { Module } from '../module.ts'

export const student: Module = {}
