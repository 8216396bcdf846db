export { default as HomePage } from './page.tsx'
