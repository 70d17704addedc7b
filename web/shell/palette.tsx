import { Group, Kbd, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight } from '@mantine/spotlight'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { refang } from '../../server/domain/observables/refang.ts'
import { refangQuery } from '../../server/domain/typed-query.ts'
import { listQuery } from '../api/lists.ts'
import type { Observable } from '../api/resources.ts'
import { useMay } from '../api/session.ts'
import { entityTitle } from '../domain/entity-title.ts'
import { entityTypeName } from '../domain/entity-types.ts'
import { titleQuery } from '../domain/title-query.ts'
import { valueQuery } from '../domain/value-query.ts'
import { EntityIcon } from '../intelligence/entity-icon.tsx'
import { NAMED_ATTRIBUTES, type NamedEntity } from '../intelligence/named-entity.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Indicator } from '../ui/indicator.tsx'
import { recentPages } from '../ui/recent.ts'
import { type Command, commandsFor } from './palette-commands.ts'

/** How long to wait after the last keystroke before querying the server. */
const DEBOUNCE_MS = 180
const MAX_RESULTS = 6

interface PaletteProps {
  readonly user: string
  /** Runs the commands that do not open a page. */
  readonly run: Readonly<Record<NonNullable<Command['does']>, () => void>>
}

/** The command palette: finds pages, recently viewed objects, entities, observables and actions. */
export function Palette({ user, run }: PaletteProps) {
  const [typed, setTyped] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Spotlight.Root
      query={typed}
      onQueryChange={setTyped}
      shortcut={null}
      scrollable
      maxHeight={460}
      onSpotlightOpen={() => {
        // Without this, reopening the palette before it has closed would show the previous input.
        setTyped('')
        setIsOpen(true)
      }}
      onSpotlightClose={() => setIsOpen(false)}
      attributes={{ content: { 'aria-label': 'Command palette' } }}
    >
      <Spotlight.Search
        placeholder="Search pages, entities and observables…"
        leftSection={<Icon name="search" size={18} />}
      />
      <Spotlight.ActionsList>{isOpen && <Found typed={typed.trim()} user={user} run={run} />}</Spotlight.ActionsList>
      <Spotlight.Footer>
        <Group gap="md">
          <Hint keys={['↑', '↓']}>select</Hint>
          <Hint keys={['Enter']}>open</Hint>
          <Hint keys={['Esc']}>close</Hint>
        </Group>
      </Spotlight.Footer>
    </Spotlight.Root>
  )
}

function Hint({ keys, children }: { readonly keys: readonly string[]; readonly children: ReactNode }) {
  return (
    <Group gap={4}>
      {keys.map((key) => (
        <Kbd key={key} size="xs">
          {key}
        </Kbd>
      ))}
      <Text size="xs" c="dimmed">
        {children}
      </Text>
    </Group>
  )
}

function Found({ typed, user, run }: PaletteProps & { readonly typed: string }) {
  const may = useMay()
  const navigate = useNavigate()
  const go = (to: string, search: Record<string, string | boolean> = {}) => void navigate({ to, search })
  const sought = refang(typed).toLowerCase()
  const recent = recentPages(user).filter(({ title }) => refang(title).toLowerCase().includes(sought))
  const commands = commandsFor(typed, may)
  return (
    <>
      {recent.length > 0 && (
        <Spotlight.ActionsGroup label="Recently viewed">
          {recent.slice(0, MAX_RESULTS).map(({ path, title }) => (
            <PaletteItem key={path} icon="history" label={title} onClick={() => go(path)} />
          ))}
        </Spotlight.ActionsGroup>
      )}
      {commands.map(({ title, commands: found }) => (
        <Spotlight.ActionsGroup key={title} label={title}>
          {found.map(({ label, icon, to, isNew, does, keys }) => (
            <PaletteItem
              key={label}
              icon={icon}
              label={label}
              keys={keys}
              onClick={() => (does ? run[does]() : go(to ?? '/', isNew ? { new: true } : {}))}
            />
          ))}
        </Spotlight.ActionsGroup>
      ))}
      {typed !== '' && may('read entities') && (
        <PaletteItem icon="search" label={`Search for “${typed}”`} onClick={() => go('/', { q: refangQuery(typed) })} />
      )}
      <ServerResults typed={typed} />
      {commands.length === 0 && typed === '' && <Spotlight.Empty>Type to search.</Spotlight.Empty>}
    </>
  )
}

/** Search results from the server. They come last, so that the selected entry does not move when they arrive. */
function ServerResults({ typed }: { readonly typed: string }) {
  const may = useMay()
  const navigate = useNavigate()
  const [asked] = useDebouncedValue(typed, DEBOUNCE_MS)
  const [byTitle, byValue] = [titleQuery(asked), valueQuery(asked)]
  const entities = useQuery({
    ...listQuery<NamedEntity>('entities', {
      query: byTitle,
      limit: MAX_RESULTS,
      attributes: NAMED_ATTRIBUTES,
      // A two-letter prefix matches too many values.
      ...(asked.length > 2 && { sort: '-_score' }),
    }),
    enabled: byTitle !== undefined && asked.length > 1 && may('read entities'),
  })
  const observables = useQuery({
    ...listQuery<Observable>('observables', { query: byValue, limit: MAX_RESULTS, attributes: 'id,type,value' }),
    enabled: byValue !== '' && asked.length > 2 && may('read extracts'),
  })
  return (
    <>
      {(entities.data?.data.length ?? 0) > 0 && (
        <Spotlight.ActionsGroup label="Entities">
          {entities.data?.data.map((entity) => (
            <Spotlight.Action
              key={entity.id}
              leftSection={<EntityIcon type={entity.data.type} isDecoration />}
              label={entityTitle(entity)}
              description={entityTypeName(entity.data.type)}
              onClick={() => void navigate({ to: `/entities/${entity.id}` })}
            />
          ))}
        </Spotlight.ActionsGroup>
      )}
      {(observables.data?.data.length ?? 0) > 0 && (
        <Spotlight.ActionsGroup label="Observables">
          {observables.data?.data.map(({ id, type, value }) => (
            <Spotlight.Action key={id} onClick={() => void navigate({ to: `/observables/${id}` })}>
              <Group justify="space-between" wrap="nowrap" w="100%">
                <Indicator type={type} value={value} canCopy={false} />
                <Text size="xs" c="dimmed">
                  {type}
                </Text>
              </Group>
            </Spotlight.Action>
          ))}
        </Spotlight.ActionsGroup>
      )}
    </>
  )
}

interface PaletteItemProps {
  readonly icon: IconName
  readonly label: string
  readonly keys?: string | undefined
  readonly onClick: () => void
}

const PaletteItem = ({ icon, label, keys, onClick }: PaletteItemProps) => (
  <Spotlight.Action
    leftSection={<Icon name={icon} />}
    label={label}
    onClick={onClick}
    rightSection={
      keys && (
        <Text size="xs" c="dimmed" className="code">
          {keys}
        </Text>
      )
    }
  />
)
