import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Observable } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { EnrichDialog, useMayEnrich } from './enrich-dialog.tsx'
import { enrichmentsQuery } from './enrichment-queries.ts'
import { ObservableLinks } from './observable-links.tsx'
import { ResultTable } from './result-table.tsx'
import { verdictsQuery } from './verdicts.ts'

/** What enrichers say about an observable, with their verdicts side by side. */
export function EnrichmentPanel({ observable }: { readonly observable: Observable }) {
  const may = useMay()
  const mayEnrich = useMayEnrich()
  const [isChoosing, setIsChoosing] = useState(false)
  const mayRead = may('read enrichments')
  const results = useQuery({ ...enrichmentsQuery([observable.id]), enabled: mayRead })
  const verdicts = useQuery(verdictsQuery(observable.id))
  const rows = results.data?.data ?? []
  const hasAny = rows.length > 0 || (verdicts.data?.length ?? 0) > 0
  if (!mayRead && !mayEnrich && !hasAny) return null
  return (
    <section aria-label="Enrichment">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Enrichment
        </Title>
        {mayEnrich && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Icon name="enrichers" size={14} />}
            onClick={() => setIsChoosing(true)}
          >
            Enrich now
          </Button>
        )}
      </Group>
      <Stack gap="md">
        <LoadFault query={results} />
        <LoadFault query={verdicts} />
        {mayRead && results.isPending && <Skeleton h={100} role="status" aria-label="Loading enrichment" />}
        {results.data && rows.length === 0 && (
          <Text size="sm" c="dimmed">
            No enricher has looked it up yet.
            {mayEnrich && ' Choose “Enrich now” to ask the services that know this type.'}
          </Text>
        )}
        {hasAny && <ResultTable results={rows} verdicts={verdicts.data ?? []} observable={observable} />}
        <ObservableLinks id={String(observable.id)} />
      </Stack>
      {isChoosing && (
        <EnrichDialog
          title={`Enrich ${observable.display_value}`}
          target={{ observables: [observable.id] }}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </section>
  )
}
