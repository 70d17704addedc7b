import { Button } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { searchOf } from '../api/lists.ts'
import type { CollectionModel } from '../generic/collections.ts'
import { ListPage } from '../generic/list-page.tsx'
import { parametersOf, readListSearch } from '../generic/list-search.ts'

const COLUMNS = ['at', 'username', 'method', 'path', 'status', 'address', 'milliseconds']

/** API requests, newest first, with a CSV export. */
export function AuditTrail({ model }: { readonly model: CollectionModel }) {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const asked = searchOf(parametersOf(readListSearch(search)))
  return (
    <ListPage
      model={model}
      columns={COLUMNS}
      sort="-at"
      head={
        <Button component="a" href={`/api/v2/audit-trail/export${asked}`} download variant="default" size="xs">
          Export CSV
        </Button>
      }
    />
  )
}
