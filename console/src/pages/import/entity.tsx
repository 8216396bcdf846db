import { usePlace } from '../../ui/place.ts'
import ImportPage from './page.tsx'
import { importPath, listKinds } from './place.ts'

/** The import centre for the rows of one entity, at an address of its own. */
export default function EntityImportPage() {
  const { path } = usePlace()
  const kind = listKinds.find((each) => importPath(each) === path)
  return kind ? <ImportPage kind={kind} /> : null
}
