import { Badge, Button, Group, Modal, Paper, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Enricher } from '../../api/resources.ts'
import { observableTypeName } from '../../domain/observables.ts'
import { InlineCode } from '../../ui/inline-code.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { catalogueOf } from './catalogue.ts'
import { EnricherForm } from './enricher-form.tsx'
import { type EnricherFunction, functionsQuery } from './enricher-queries.ts'

interface NewEnricherProps {
  readonly onClose: () => void
  readonly onSaved: (enricher: Enricher) => void
}

/** Creates an enricher: first its function is chosen from the catalogue, then its form is filled in. */
export function NewEnricher({ onClose, onSaved }: NewEnricherProps) {
  const [chosen, setChosen] = useState<EnricherFunction | null>(null)
  return (
    <Modal opened onClose={onClose} size="xl" title={chosen ? `New enricher: ${chosen.title}` : 'New enricher'}>
      {chosen ? (
        <EnricherForm own={chosen} onCancel={() => setChosen(null)} cancel="Back" onSaved={onSaved} />
      ) : (
        <Catalogue onChoose={setChosen} />
      )}
    </Modal>
  )
}

function Catalogue({ onChoose }: { readonly onChoose: (chosen: EnricherFunction) => void }) {
  const functions = useQuery(functionsQuery)
  const [searched, setSearched] = useState('')
  const groups = catalogueOf(functions.data ?? [], searched)
  return (
    <Stack>
      <TextInput
        label="Search functions"
        placeholder="Name, service or observable type"
        data-autofocus
        value={searched}
        onChange={({ currentTarget }) => setSearched(currentTarget.value)}
      />
      <LoadFault query={functions} />
      {functions.isPending && <Skeleton h={240} role="status" aria-label="Loading" />}
      {functions.data && groups.length === 0 && (
        <Text c="dimmed" size="sm">
          No function matches “{searched}”. Describe another service under “Own definitions”.
        </Text>
      )}
      {groups.map((group) => (
        <Stack key={group.title} gap="xs" component="section">
          <div>
            <Title order={3} size="h5">
              {group.title}
            </Title>
            <Text size="xs" c="dimmed">
              {group.description}
            </Text>
          </div>
          {group.functions.map((each) => (
            <FunctionCard key={each.name} offered={each} onChoose={() => onChoose(each)} />
          ))}
        </Stack>
      ))}
    </Stack>
  )
}

function FunctionCard({ offered, onChoose }: { readonly offered: EnricherFunction; readonly onChoose: () => void }) {
  const { name, title, description, supported_types, set_up, secrets, is_remote } = offered
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Group gap={6}>
            <Text fw={600} size="sm">
              {title}
            </Text>
            <Text size="xs" c="dimmed" className="code">
              {name}
            </Text>
          </Group>
          <Text size="sm" c="dimmed">
            <InlineCode text={description} />
          </Text>
          <Group gap={4} mt={6}>
            {supported_types.slice(0, MAX_TYPES).map((type) => (
              <Badge key={type} variant="default" radius="xs" size="sm" tt="none">
                {observableTypeName(type)}
              </Badge>
            ))}
            {supported_types.length > MAX_TYPES && (
              <Text size="xs" c="dimmed">
                and {supported_types.length - MAX_TYPES} more
              </Text>
            )}
          </Group>
          <Text size="xs" mt={6} style={{ overflowWrap: 'anywhere' }}>
            <InlineCode text={set_up ?? needs(secrets.length > 0, is_remote)} />
          </Text>
        </div>
        <Button size="compact-sm" variant="default" flex="none" aria-label={`Choose ${title}`} onClick={onChoose}>
          Choose
        </Button>
      </Group>
    </Paper>
  )
}

/** At most this many types are shown per function. */
const MAX_TYPES = 8

const needs = (hasSecret: boolean, isRemote: boolean): string => {
  if (!isRemote) return 'No set-up required. Nothing leaves the platform.'
  return hasSecret ? 'Requires an API key or password.' : 'No API key required.'
}
