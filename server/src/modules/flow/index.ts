import type { Module } from '../module.ts'

export { type Beginning, beginProcess } from './begin.ts'
export { addFlowBusiness, type FlowBusiness, type FlowContext } from './business.ts'

export const flows: Module = {}
