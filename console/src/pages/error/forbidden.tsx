import { ErrorPage } from './page.tsx'

export default function ForbiddenPage() {
  return <ErrorPage code={403} />
}
