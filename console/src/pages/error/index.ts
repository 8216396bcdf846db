export { ErrorPage } from './page.tsx'
