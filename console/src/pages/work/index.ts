export { WorkForm } from './form.tsx'
