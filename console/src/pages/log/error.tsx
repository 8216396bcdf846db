import { LogList } from './page.tsx'

export default function ErrorPage() {
  return <LogList kind="error" />
}
