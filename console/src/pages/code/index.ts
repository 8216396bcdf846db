export { default } from './fields-input.tsx'
