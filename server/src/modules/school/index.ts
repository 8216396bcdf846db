import type { Module } from '../module.ts'

export const school: Module = {}
