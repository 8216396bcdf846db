import Image from '@tiptap/extension-image'
import { TableKit } from '@tiptap/extension-table'
import TextAlign from '@tiptap/extension-text-align'
import { type Editor, EditorContent, useEditor, useEditorState } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import {
  Bold,
  ImageIcon,
  Italic,
  Link as LinkIcon,
  List,
  ListOrdered,
  type LucideIcon,
  Redo2,
  Strikethrough,
  Table as TableIcon,
  TextAlignCenter,
  TextAlignEnd,
  TextAlignStart,
  TextQuote,
  Underline,
  Undo2,
} from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useCalls } from '../../entity/data/index.ts'
import type { ControlProps } from '../../entity/fields/index.ts'
import { HttpProblem } from '../../http/client.ts'
import { isFileAddress } from '../../ui/file-address.ts'
import { useValue } from '../../ui/form/store.ts'
import { TextInput } from '../../ui/form/text-input.tsx'
import { toast } from '../../ui/toast.ts'
import { useToolbar } from '../../ui/toolbar.ts'
import { useT } from '../../ui/words.ts'
import { NoticeText } from '../inbox/index.ts'
import { withoutLeave, withPictures } from './pictures.ts'
import './editor.css'

const pictures = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
const linkForm = /^(?:https?:\/\/|mailto:|tel:)\S+$/i
const headings = [2, 3, 4] as const

/** What a word processor writes around its text: comments, styles, and pictures that only its own computer has. */
export function tidyPaste(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const node of page.querySelectorAll('style, script, meta, link, title, xml, o\\:p')) node.remove()
  for (const image of page.querySelectorAll('img')) if (!isFileAddress(image.getAttribute('src'))) image.remove()
  for (const node of page.body.querySelectorAll('*'))
    for (const name of ['class', 'style', 'lang', 'id']) node.removeAttribute(name)
  return page.body.innerHTML.replace(/<!--[\s\S]*?-->/g, '')
}

const extensions = [
  StarterKit.configure({
    heading: { levels: [...headings] },
    link: { openOnClick: false, protocols: ['http', 'https', 'mailto', 'tel'], autolink: true },
    trailingNode: false,
  }),
  Image.configure({ allowBase64: false }),
  TableKit.configure({ table: { resizable: false } }),
  TextAlign.configure({ types: ['heading', 'paragraph'] }),
]

interface ToolProps {
  readonly icon: LucideIcon
  readonly label: string
  readonly pressed?: boolean
  readonly disabled?: boolean
  readonly onPress: () => void
}

function Tool({ icon: Drawn, label, pressed, disabled, onPress }: ToolProps) {
  return (
    <button
      type="button"
      className="tool"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      disabled={disabled}
      // The selection stays where it is.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      <Drawn size={16} aria-hidden />
    </button>
  )
}

function LinkBox({ editor, onDone }: { editor: Editor; onDone: () => void }) {
  const t = useT()
  const [address, setAddress] = useState(String(editor.getAttributes('link').href ?? ''))
  const [wrong, setWrong] = useState(false)
  const set = () => {
    const href = address.trim()
    if (href !== '' && !linkForm.test(href)) return setWrong(true)
    const chain = editor.chain().focus().extendMarkRange('link')
    if (href === '') chain.unsetLink().run()
    else if (editor.state.selection.empty && !editor.isActive('link'))
      chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run()
    else chain.setLink({ href }).run()
    onDone()
  }
  return (
    <div className="editor-link">
      <TextInput
        type="url"
        aria-label={t('notice.linkAddress')}
        aria-invalid={wrong || undefined}
        value={address}
        onClear={() => setAddress('')}
        onChange={(event) => setAddress(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          set()
        }}
      />
      <button type="button" className="button" onClick={set}>
        {t('notice.linkSet')}
      </button>
      {wrong && <span role="alert">{t('notice.linkWrong')}</span>}
    </div>
  )
}

function Toolbar({ editor, onImage, busy }: { editor: Editor; onImage: () => void; busy: boolean }) {
  const t = useT()
  const [linking, setLinking] = useState(false)
  const now = useEditorState({
    editor,
    selector: ({ editor: each }) => ({
      style: headings.find((level) => each.isActive('heading', { level })) ?? 0,
      bold: each.isActive('bold'),
      italic: each.isActive('italic'),
      underline: each.isActive('underline'),
      strike: each.isActive('strike'),
      bullets: each.isActive('bulletList'),
      numbers: each.isActive('orderedList'),
      quote: each.isActive('blockquote'),
      center: each.isActive({ textAlign: 'center' }),
      right: each.isActive({ textAlign: 'right' }),
      link: each.isActive('link'),
      table: each.isActive('table'),
      undo: each.can().undo(),
      redo: each.can().redo(),
    }),
  })
  const run = () => editor.chain().focus()
  const toolbar = useToolbar()
  return (
    <>
      <div className="editor-tools" role="toolbar" aria-label={t('notice.tools')} {...toolbar}>
        <select
          aria-label={t('notice.style')}
          value={now.style}
          onChange={(event) => {
            const level = headings.find((each) => each === Number(event.target.value))
            if (level) run().setHeading({ level }).run()
            else run().setParagraph().run()
          }}
        >
          <option value={0}>{t('notice.paragraph')}</option>
          {headings.map((level) => (
            <option key={level} value={level}>
              {t(`notice.h${level}`)}
            </option>
          ))}
        </select>
        <Tool icon={Bold} label={t('notice.bold')} pressed={now.bold} onPress={() => run().toggleBold().run()} />
        <Tool
          icon={Italic}
          label={t('notice.italic')}
          pressed={now.italic}
          onPress={() => run().toggleItalic().run()}
        />
        <Tool
          icon={Underline}
          label={t('notice.underline')}
          pressed={now.underline}
          onPress={() => run().toggleUnderline().run()}
        />
        <Tool
          icon={Strikethrough}
          label={t('notice.strike')}
          pressed={now.strike}
          onPress={() => run().toggleStrike().run()}
        />
        <Tool
          icon={List}
          label={t('notice.bullets')}
          pressed={now.bullets}
          onPress={() => run().toggleBulletList().run()}
        />
        <Tool
          icon={ListOrdered}
          label={t('notice.numbers')}
          pressed={now.numbers}
          onPress={() => run().toggleOrderedList().run()}
        />
        <Tool
          icon={TextQuote}
          label={t('notice.quote')}
          pressed={now.quote}
          onPress={() => run().toggleBlockquote().run()}
        />
        <Tool icon={TextAlignStart} label={t('notice.left')} onPress={() => run().unsetTextAlign().run()} />
        <Tool
          icon={TextAlignCenter}
          label={t('notice.center')}
          pressed={now.center}
          onPress={() => run().setTextAlign('center').run()}
        />
        <Tool
          icon={TextAlignEnd}
          label={t('notice.right')}
          pressed={now.right}
          onPress={() => run().setTextAlign('right').run()}
        />
        <Tool
          icon={LinkIcon}
          label={t('notice.link')}
          pressed={now.link || linking}
          onPress={() => setLinking((open) => !open)}
        />
        <Tool
          icon={ImageIcon}
          label={busy ? t('notice.uploading') : t('notice.image')}
          disabled={busy}
          onPress={onImage}
        />
        <Tool
          icon={TableIcon}
          label={t('notice.table')}
          disabled={now.table}
          onPress={() => run().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run()}
        />
        <Tool icon={Undo2} label={t('notice.undoTyping')} disabled={!now.undo} onPress={() => run().undo().run()} />
        <Tool icon={Redo2} label={t('notice.redoTyping')} disabled={!now.redo} onPress={() => run().redo().run()} />
      </div>
      {now.table && (
        <div className="editor-tools">
          <button type="button" className="link-button" onClick={() => run().addRowAfter().run()}>
            {t('notice.addRow')}
          </button>
          <button type="button" className="link-button" onClick={() => run().addColumnAfter().run()}>
            {t('notice.addColumn')}
          </button>
          <button type="button" className="link-button" onClick={() => run().deleteTable().run()}>
            {t('notice.deleteTable')}
          </button>
        </div>
      )}
      {linking && <LinkBox editor={editor} onDone={() => setLinking(false)} />}
    </>
  )
}

/** The text of a notice, written with what it may hold; the server cleans whatever comes. */
export default function ContentEditor({ form, name, label, ties, onChange, onBlur }: ControlProps) {
  const t = useT()
  const calls = useCalls()
  const value = (useValue(form, name) as string | null) ?? ''
  /** What the editor itself has said last: anything else comes from a stored row or a draft, and is put into it. */
  const said = useRef<string | null>(null)
  const picker = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [preview, setPreview] = useState<string | null>(null)
  const change = useRef(onChange)
  change.current = onChange

  const editor = useEditor({
    extensions,
    injectCSS: false,
    editorProps: {
      attributes: {
        id: ties.id,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        ...(ties['aria-required'] ? { 'aria-required': 'true' } : {}),
        class: 'notice-text editor-text',
      },
      transformPastedHTML: tidyPaste,
      handlePaste: (_view, event) => {
        const [file] = event.clipboardData?.files ?? []
        // A word processor puts a picture of the text beside it.
        if (!file || event.clipboardData?.types.includes('text/html')) return false
        void insert(file)
        return true
      },
    },
    onUpdate: ({ editor: each }) => {
      said.current = each.isEmpty ? '' : withoutLeave(each.getHTML())
      change.current(said.current)
    },
    onBlur,
  })

  useEffect(() => {
    if (!editor || value === said.current) return
    const stop = new AbortController()
    said.current = value
    withPictures(value, stop.signal)
      .catch(() => value)
      .then((html) => {
        if (!stop.signal.aborted && !editor.isDestroyed) editor.commands.setContent(html, { emitUpdate: false })
      })
    return () => stop.abort()
  }, [editor, value])

  const insert = async (file: File) => {
    if (!pictures.includes(file.type)) return
    setBusy(true)
    try {
      const { link } = await calls.upload(file)
      editor?.chain().focus().setImage({ src: link, alt: file.name }).run()
    } catch (problem) {
      // The client has said what went wrong; anything else is a defect and goes up.
      if (!(problem instanceof HttpProblem)) throw problem
    } finally {
      setBusy(false)
      if (picker.current) picker.current.value = ''
    }
  }
  const show = async () => {
    if (preview !== null) return setPreview(null)
    setPreview(
      await withPictures(value).catch((problem: unknown) => {
        toast.warning(problem instanceof Error ? problem.message : '')
        return value
      }),
    )
  }

  if (!editor) return null
  return (
    <div className="editor">
      <Toolbar editor={editor} busy={busy} onImage={() => picker.current?.click()} />
      <input
        ref={picker}
        type="file"
        className="sr-only"
        tabIndex={-1}
        aria-label={t('notice.image')}
        accept={pictures.join()}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) void insert(file)
        }}
      />
      <EditorContent editor={editor} hidden={preview !== null} />
      {preview !== null && (
        <section className="editor-text" aria-label={t('notice.previewOf')}>
          <NoticeText html={preview} />
        </section>
      )}
      <div className="editor-foot">
        <button type="button" className="link-button" aria-pressed={preview !== null} onClick={() => void show()}>
          {t('notice.preview')}
        </button>
      </div>
    </div>
  )
}
