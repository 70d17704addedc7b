import { Button, Center, Group, Overlay, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useCallback, useState } from 'react'
import type { Parameters } from '../../api/lists.ts'
import { useMay } from '../../api/session.ts'
import { useFileDrop } from '../../exchange/use-file-drop.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { NameSelect } from '../../ui/name-select.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { useCreateForm } from '../../ui/use-create-form.ts'
import { type UrlState, useUrlState } from '../../ui/use-url-state.ts'
import { DetonateDialog } from './detonate-dialog.tsx'
import { DetonationList } from './detonation-list.tsx'
import { STATES, searchFilter, VERDICTS } from './detonation-words.ts'
import type { Sample } from './sample.ts'
import { useMayDetonate } from './use-may-detonate.ts'

/** All detonations that the user sees, and the place to submit a sample. */
export function Detonations() {
  const may = useMay()
  const mayDetonate = useMayDetonate()
  const { isCreating, setIsCreating } = useCreateForm('Detonate sample', 'modify detonations')
  const [dropped, setDropped] = useState<Sample>()
  const open = useCallback(
    ([file]: readonly File[]) => {
      if (!file) return
      setDropped({ via: 'upload', file })
      setIsCreating(true)
    },
    [setIsCreating],
  )
  const isOpen = isCreating && mayDetonate
  const isOver = useFileDrop(mayDetonate && !isOpen ? open : undefined)
  if (!may('read detonations'))
    return (
      <>
        <PageHead title="Detonations" />
        <NoPermission permission="read detonations" />
      </>
    )
  const add = mayDetonate && (
    <Button leftSection={<Icon name="upload" />} onClick={() => setIsCreating(true)}>
      Detonate sample
    </Button>
  )
  return (
    <>
      <PageHead
        title="Detonations"
        description="Files and URLs that were run in a sandbox, and what their reports say."
        actions={
          <>
            {may('read detonators') && (
              <Button variant="default" renderRoot={(props) => <Link to="/detonators" {...props} />}>
                Show detonators
              </Button>
            )}
            {add}
          </>
        }
      />
      <Listed add={add} />
      {isOpen && (
        <DetonateDialog
          sample={dropped}
          onClose={() => {
            setDropped(undefined)
            setIsCreating(false)
          }}
        />
      )}
      {isOver && (
        <Overlay fixed blur={2} zIndex={1000} style={{ pointerEvents: 'none' }}>
          <Center h="100%">
            <Title order={2} c="white">
              Drop the sample to detonate it
            </Title>
          </Center>
        </Overlay>
      )}
    </>
  )
}

function Listed({ add }: { readonly add: ReactNode }) {
  const url = useUrlState()
  const search = url.get('search')
  const found = search === '' ? {} : searchFilter(search)
  const isFiltered = FILTERS.some((name) => url.get(name) !== '')
  return (
    <Stack gap="sm">
      <Filters url={url} />
      {found === undefined ? (
        <Text size="sm" role="status">
          Enter a complete MD5, SHA-1 or SHA-256 hash, or a URL.
        </Text>
      ) : (
        <DetonationList
          key={JSON.stringify(found)}
          parameters={{ ...parametersIn(url), ...found }}
          empty={
            <EmptyState
              title={isFiltered ? 'No matching detonations' : 'No detonations yet'}
              action={!isFiltered && add}
            >
              {isFiltered
                ? 'Change or remove the filters.'
                : 'Drop a suspicious file onto this page, or detonate attachments, files and URLs where you find them. Samples are never opened here; downloads are zip archives encrypted with the password “infected”.'}
            </EmptyState>
          }
        />
      )}
    </Stack>
  )
}

const FILTERS = ['detonator', 'state', 'verdict', 'kind', 'search']

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  UNDER_WAY: ['WAITING', 'CHECKING', 'SUBMITTING', 'RUNNING', 'REPORTING'],
}

function parametersIn(url: UrlState): Parameters {
  const [detonator, state, verdict, kind] = FILTERS.map((name) => url.get(name))
  return {
    ...(detonator && { 'filter[detonator]': detonator }),
    ...(state && { 'filter[state]': GROUPS[state] ?? state }),
    ...(verdict && { 'filter[verdict]': verdict }),
    ...(kind && { 'filter[kind]': kind }),
  }
}

const STATE_OPTIONS = [
  { value: 'UNDER_WAY', label: 'In progress' },
  ...(['WAITING', 'FINISHED', 'FAILED', 'REFUSED', 'CANCELLED'] as const).map((value) => ({
    value,
    label: STATES[value].label,
  })),
]
const VERDICT_OPTIONS = Object.entries(VERDICTS).map(([value, { label }]) => ({ value, label }))
const KIND_OPTIONS = [
  { value: 'file', label: 'Files' },
  { value: 'url', label: 'URLs' },
]

function Filters({ url }: { readonly url: UrlState }) {
  const [typed, setTyped] = useState(url.get('search'))
  const choice = (name: string, label: string, data: readonly { value: string; label: string }[]) => (
    <Select
      aria-label={label}
      placeholder={label}
      w={150}
      clearable
      data={[...data]}
      value={url.get(name) || null}
      onChange={(value) => url.set({ [name]: value })}
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
    />
  )
  return (
    <Group gap="sm">
      <NameSelect
        of="detonators"
        label="Detonator"
        placeholder="Detonator"
        isBare
        value={url.get('detonator')}
        onChange={(detonator) => url.set({ detonator })}
        w={190}
      />
      {choice('state', 'State', STATE_OPTIONS)}
      {choice('verdict', 'Verdict', VERDICT_OPTIONS)}
      {choice('kind', 'Kind', KIND_OPTIONS)}
      <form
        style={{ flex: '1 1 14rem' }}
        onSubmit={(event) => {
          event.preventDefault()
          url.set({ search: typed.trim() })
        }}
      >
        <TextInput
          type="search"
          aria-label="Search by hash or URL"
          placeholder="Hash or URL"
          leftSection={<Icon name="search" />}
          value={typed}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value)
            if (value.trim() === '' || searchFilter(value)) url.set({ search: value.trim() }, true)
          }}
        />
      </form>
    </Group>
  )
}
