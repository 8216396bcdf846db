import { LogList } from './page.tsx'

export default function ApiPage() {
  return <LogList kind="api" />
}
