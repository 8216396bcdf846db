import ImportPage from './page.tsx'

/** The import centre for users, at an address of its own. */
export default function UserImportPage() {
  return <ImportPage kind="user" />
}
