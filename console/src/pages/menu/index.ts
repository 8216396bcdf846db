export { IconInput } from './icon-picker.tsx'
