import { ErrorPage } from './page.tsx'

export default function BrokenPage() {
  return <ErrorPage code={500} />
}
