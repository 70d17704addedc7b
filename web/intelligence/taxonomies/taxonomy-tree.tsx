import {
  ActionIcon,
  Anchor,
  Badge,
  Button,
  Group,
  Modal,
  Paper,
  SegmentedControl,
  Skeleton,
  Text,
  TextInput,
} from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { endlessQuery } from '../../api/lists.ts'
import { useMay } from '../../api/session.ts'
import type { CollectionModel } from '../../generic/collections.ts'
import { ListPage } from '../../generic/list-page.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { type TaxonomyAct, TaxonomyForm } from './taxonomy-form.tsx'
import classes from './taxonomy-tree.module.css'
import { type Branch, matching, type Taxonomy, treeOf } from './tree.ts'

/** Taxonomies as trees or as a list. */
export function TaxonomiesPage({ model }: { readonly model: CollectionModel }) {
  const { view } = useSearch({ strict: false }) as { view?: string }
  const navigate = useNavigate()
  const views = (
    <SegmentedControl
      size="xs"
      aria-label="View"
      value={view === 'list' ? 'list' : 'tree'}
      onChange={(next) =>
        void navigate({ to: `/admin/${model.slug}`, search: next === 'list' ? { view: 'list' } : {} })
      }
      data={[
        { value: 'tree', label: 'Tree' },
        { value: 'list', label: 'List' },
      ]}
    />
  )
  if (view === 'list') return <ListPage model={model} head={views} />
  return <Tree description={model.description} views={views} />
}

const ALL_TAXONOMIES = { limit: 2000, attributes: 'id,name,description,parent,path,is_system' }

/** All taxonomies: a tree needs every one of them. */
function useTaxonomies() {
  const list = useInfiniteQuery(endlessQuery<Taxonomy>('taxonomies', ALL_TAXONOMIES))
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return { nodes: list.data?.pages.flatMap(({ data }) => data), error: list.error }
}

interface Chosen {
  readonly act: TaxonomyAct
  readonly branch?: Branch
}

function Tree({ description, views }: { readonly description: string; readonly views: ReactNode }) {
  const { nodes, error } = useTaxonomies()
  const may = useMay()
  const [text, setText] = useState('')
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [chosen, setChosen] = useState<Chosen>()
  const mayChange = may('modify taxonomies')
  const branches = matching(treeOf(nodes ?? []), text)
  const toggle = (id: number) => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  const close = () => setChosen(undefined)
  const isOpen = (id: number) => open.has(id) || text.trim() !== ''
  const add = mayChange && (
    <Button size="xs" onClick={() => setChosen({ act: 'add' })}>
      Create taxonomy
    </Button>
  )
  return (
    <>
      <PageHead
        title="Taxonomies"
        description={description}
        actions={
          <>
            {views}
            {add}
          </>
        }
      />
      <ErrorFaults error={error} />
      {!nodes && !error && <Skeleton height={300} />}
      {nodes?.length === 0 && (
        <EmptyState title="No taxonomies yet" action={add}>
          Taxonomies classify intelligence in trees, such as sectors or regions.
        </EmptyState>
      )}
      {nodes && nodes.length > 0 && (
        <>
          <TextInput
            size="xs"
            w={260}
            mb="sm"
            label="Search by name"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          {branches.length === 0 ? (
            <Text c="dimmed">No matching taxonomies.</Text>
          ) : (
            <Paper withBorder p="xs">
              <Branches
                branches={branches}
                isOpen={isOpen}
                onToggle={toggle}
                {...(mayChange && { onAct: (act: TaxonomyAct, branch: Branch) => setChosen({ act, branch }) })}
              />
            </Paper>
          )}
        </>
      )}
      <Modal
        opened={chosen !== undefined}
        onClose={close}
        title={chosen && TITLES[chosen.act](chosen.branch?.node.name)}
      >
        {chosen && (
          <TaxonomyForm
            act={chosen.act}
            branch={chosen.branch}
            nodes={nodes ?? []}
            onDone={() => {
              if (chosen.act === 'add' && chosen.branch) setOpen(new Set(open).add(chosen.branch.node.id))
              close()
            }}
          />
        )}
      </Modal>
    </>
  )
}

const TITLES: Readonly<Record<TaxonomyAct, (name: string | undefined) => string>> = {
  add: (name) => (name ? `New taxonomy under “${name}”` : 'New taxonomy'),
  rename: (name) => `Rename “${name}”`,
  move: (name) => `Move “${name}”`,
  delete: (name) => `Delete “${name}”?`,
}

interface BranchesProps {
  readonly branches: readonly Branch[]
  readonly isOpen: (id: number) => boolean
  readonly onToggle: (id: number) => void
  readonly onAct?: (act: TaxonomyAct, branch: Branch) => void
}

function Branches({ branches, ...rest }: BranchesProps) {
  return (
    <ul className={classes.tree ?? ''}>
      {branches.map((branch) => (
        <li key={branch.node.id}>
          <Line branch={branch} {...rest} />
          {branch.children.length > 0 && rest.isOpen(branch.node.id) && (
            <Branches branches={branch.children} {...rest} />
          )}
        </li>
      ))}
    </ul>
  )
}

const ACTS: readonly { readonly act: TaxonomyAct; readonly label: string }[] = [
  { act: 'add', label: 'Add child' },
  { act: 'rename', label: 'Rename' },
  { act: 'move', label: 'Move' },
  { act: 'delete', label: 'Delete' },
]

function Line({ branch, isOpen, onToggle, onAct }: Omit<BranchesProps, 'branches'> & { readonly branch: Branch }) {
  const { node, children } = branch
  const isShown = isOpen(node.id)
  return (
    <Group gap="xs" wrap="nowrap" className={classes.line ?? ''}>
      {children.length > 0 ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-expanded={isShown}
          aria-label={`Children of ${node.name}`}
          onClick={() => onToggle(node.id)}
        >
          {isShown ? '▾' : '▸'}
        </ActionIcon>
      ) : (
        <span className={classes.leaf ?? ''} />
      )}
      <Anchor component={Link} to={`/admin/taxonomies/${node.id}`} size="sm">
        {node.name}
      </Anchor>
      {children.length > 0 && (
        <Badge size="xs" variant="default" radius="xs" aria-label={`${children.length} children`}>
          {children.length}
        </Badge>
      )}
      <Text size="xs" c="dimmed" truncate className={classes.description ?? ''}>
        {node.description}
      </Text>
      {onAct && (
        <Group gap={2} wrap="nowrap" className={classes.actions ?? ''}>
          {ACTS.filter(({ act }) => !node.is_system || act === 'add').map(({ act, label }) => (
            <Button
              key={act}
              size="compact-xs"
              variant="subtle"
              color={act === 'delete' ? 'red' : 'gray'}
              aria-label={`${label}: ${node.name}`}
              onClick={() => onAct(act, branch)}
            >
              {label}
            </Button>
          ))}
        </Group>
      )}
    </Group>
  )
}
