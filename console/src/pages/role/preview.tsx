import type { MenuTreeNode } from '@data-brain/contract/calls/trees'
import type { MenuNode } from '../../session/menus.ts'
import { menuLabel, menuStore, topLabel } from '../../session/menus.ts'
import { Icon } from '../../ui/icon.tsx'
import { useStore } from '../../ui/store.ts'
import { everyNode } from '../../ui/tree/flat.ts'
import { useT } from '../../ui/words.ts'

interface PreviewProps {
  /** The tree of menus and buttons that the caller may hand on. */
  readonly nodes: readonly MenuTreeNode[]
  /** Ids of the menus and buttons of the role. */
  readonly ticked: ReadonlySet<string>
}

/** The menus as somebody with these rights would find them, and under each page what its buttons allow. */
export function MenuPreview({ nodes, ticked }: PreviewProps) {
  const t = useT()
  const tops = useStore(menuStore)
  const granted = new Map(everyNode(nodes).map((node) => [node.id, node]))
  const buttonsOf = (id: string) =>
    (granted.get(id)?.children ?? []).filter((node) => node.category === 2 && ticked.has(node.id))
  // A page is there when it or anything on it is granted, a group when a page of it is.
  const isThere = (node: MenuNode): boolean =>
    node.path && !node.children?.length
      ? ticked.has(node.id) || buttonsOf(node.id).length > 0
      : (node.children ?? []).some(isThere)
  const branch = (node: MenuNode) =>
    isThere(node) ? (
      <li key={node.id}>
        <span className="preview-line">
          {node.source && <Icon name={node.source} size={16} />}
          {t(menuLabel(node.code))}
        </span>
        {buttonsOf(node.id).length > 0 && (
          <span className="preview-buttons">
            {buttonsOf(node.id).map(({ id, title }) => (
              <span key={id} className="tag tag-off">
                {title}
              </span>
            ))}
          </span>
        )}
        {node.children && node.children.length > 0 && <ul>{node.children.map(branch)}</ul>}
      </li>
    ) : null
  const shown = tops.filter((top) => top.children.some(isThere))
  if (shown.length === 0) return <p className="ct-none">{t('role.previewNone')}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer
    <section className="preview" aria-label={t('role.preview')} tabIndex={0}>
      {shown.map((top) => (
        <section key={top.id} aria-label={t(topLabel(top.code))}>
          <h2>
            {top.source && <Icon name={top.source} size={16} />}
            {t(topLabel(top.code))}
          </h2>
          <ul>{top.children.map(branch)}</ul>
        </section>
      ))}
    </section>
  )
}
