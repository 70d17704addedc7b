import { Button } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { EmptyState } from '../ui/empty-state.tsx'
import { inSentence } from '../ui/in-sentence.ts'
import { PageHead } from '../ui/page-head.tsx'
import { DeleteObjects } from './bulk-delete.tsx'
import type { CollectionModel } from './collections.ts'
import { type ListSearch, readListSearch } from './list-search.ts'
import type { Row } from './list-table.tsx'
import { ObjectList } from './object-list.tsx'
import { useMayDo } from './use-api.ts'

interface ListPageProps {
  readonly model: CollectionModel
  readonly columns?: readonly string[]
  /** The default sort order. */
  readonly sort?: string
  readonly actions?: (row: Row) => ReactNode
  /** Buttons next to the create button. */
  readonly head?: ReactNode
  /** Shown between the header and the list, such as tabs. */
  readonly before?: ReactNode
}

/** The list page of any collection. */
export function ListPage({ model, columns, sort, actions, head, before }: ListPageProps) {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const navigate = useNavigate()
  const mayDo = useMayDo()
  const own = { ...(sort && { sort }), ...readListSearch(search) }
  const onSearch = (next: ListSearch) => {
    const { sort: _, where: __, columns: ___, query: ____, ...others } = search
    void navigate({ to: `/admin/${model.slug}`, search: { ...others, ...next }, replace: true })
  }
  const create = mayDo(model.verbs.create) && (
    <Button component={Link} to={`/admin/${model.slug}/new`} size="xs">
      Create {inSentence(model.title)}
    </Button>
  )
  const deletable = mayDo(model.verbs.deleteMany)
  return (
    <>
      <PageHead
        title={model.label}
        description={model.description}
        actions={
          <>
            {head}
            {create}
          </>
        }
      />
      {before}
      <ObjectList
        label={model.label}
        path={model.path}
        shown={model.shown}
        search={own}
        onSearch={onSearch}
        isSearchable={model.isSearchable}
        pageOf={({ id }) => `/admin/${model.slug}/${id}`}
        {...(columns && { columns })}
        {...(actions && { actions })}
        bulk={
          deletable
            ? (ids, clear) => <DeleteObjects model={model} ids={ids} name={`${model.title} ${ids[0]}`} onDone={clear} />
            : undefined
        }
        empty={
          <EmptyState title={`No ${inSentence(model.label)} yet`} action={create}>
            {model.description}
          </EmptyState>
        }
      />
    </>
  )
}
