import { fileContent } from '@data-brain/contract/calls/attach'
import { fetchFile } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { Icon } from '../../ui/icon.tsx'
import { saveFile } from '../../ui/save-file.ts'

export interface NamedFile {
  readonly id: string
  readonly name: string
}

async function fetchOne({ id, name }: NamedFile): Promise<void> {
  try {
    const { blob } = await fetchFile(fileContent, { id })
    saveFile({ blob, name })
  } catch (problem) {
    // The client has said what went wrong; anything else is a defect and goes up.
    if (!(problem instanceof HttpProblem)) throw problem
  }
}

/** Files that came with a request or a decision; whoever may see that may fetch them. */
export function FileList({ files }: { files: readonly NamedFile[] }) {
  if (files.length === 0) return null
  return (
    <ul className="flow-files">
      {files.map((file) => (
        <li key={file.id}>
          <button type="button" className="link-button" onClick={() => void fetchOne(file)}>
            <Icon name="paperclip" size={14} /> {file.name}
          </button>
        </li>
      ))}
    </ul>
  )
}
