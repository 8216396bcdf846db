import { LogList } from './page.tsx'

export default function UsualPage() {
  return <LogList kind="usual" />
}
