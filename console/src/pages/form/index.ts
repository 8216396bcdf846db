export { default as useFilling } from './fill.tsx'
