import { Button, Menu, Modal, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listQuery } from '../api/lists.ts'
import type { SavedQuery } from '../api/resources.ts'
import { sessionQuery } from '../api/session.ts'
import { Icon } from '../ui/icon.tsx'
import { ManageQueries } from './manage-queries.tsx'
import { SaveQueryForm } from './save-query-form.tsx'
import { isSameSearch, type SearchState, savedState } from './search-state.ts'

/** Saved queries visible to the user: their own, and shared ones. */
export const savedQueriesQuery = listQuery<SavedQuery>('saved-queries', { sort: 'name', limit: 500 })

interface SavedQueriesProps {
  readonly state: SearchState
  readonly onOpen: (state: SearchState) => void
}

/** Saves the search, and opens saved ones. */
export function SavedQueries({ state, onOpen }: SavedQueriesProps) {
  const [open, setOpen] = useState<'save' | 'manage' | null>(null)
  const { data: session } = useQuery(sessionQuery)
  const { data } = useQuery(savedQueriesQuery)
  const all = data?.data ?? []
  const own = all.filter(({ created_by }) => created_by === session?.user)
  const shared = all.filter(({ created_by }) => created_by !== session?.user)
  const item = (saved: SavedQuery) => (
    <Menu.Item
      key={saved.id}
      onClick={() => onOpen(savedState(saved))}
      rightSection={isSameSearch(savedState(saved), state) ? <Icon name="check" size={14} /> : undefined}
    >
      {saved.name}
      {saved.description !== '' && (
        <Text size="xs" c="dimmed" lineClamp={1}>
          {saved.description}
        </Text>
      )}
    </Menu.Item>
  )
  return (
    <>
      <Menu position="bottom-end" width={280} shadow="md">
        <Menu.Target>
          <Button size="compact-md" variant="default">
            Saved queries
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
          <Menu.Item leftSection={<Icon name="plus" size={14} />} onClick={() => setOpen('save')}>
            Save search
          </Menu.Item>
          {own.length > 0 && <Menu.Label>Your queries</Menu.Label>}
          {own.map(item)}
          {shared.length > 0 && <Menu.Label>Shared with you</Menu.Label>}
          {shared.map(item)}
          {own.length > 0 && (
            <>
              <Menu.Divider />
              <Menu.Item onClick={() => setOpen('manage')}>Manage your queries</Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={open === 'save'} onClose={() => setOpen(null)} title="Save search">
        <SaveQueryForm state={state} own={own} onDone={() => setOpen(null)} />
      </Modal>
      <Modal opened={open === 'manage'} onClose={() => setOpen(null)} title="Your saved queries" size="lg">
        <ManageQueries own={own} />
      </Modal>
    </>
  )
}
