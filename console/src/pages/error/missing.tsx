import { ErrorPage } from './page.tsx'

export default function MissingPage() {
  return <ErrorPage code={404} />
}
