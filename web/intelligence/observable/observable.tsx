import { Grid, Paper, Skeleton, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CallError } from '../../api/call.ts'
import type { Observable } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { Indicator } from '../../ui/indicator.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { LabelledValues } from '../entity/field-values.tsx'
import { ReferenceName } from '../reference-name.tsx'
import { Companions } from './companions.tsx'
import { observableQuery, sightingsQuery } from './observable-queries.ts'
import { RateObservable } from './rate-observable.tsx'
import { SeenIn } from './seen-in.tsx'
import { Sightings } from './sightings.tsx'

interface ObservablePageProps {
  /** Buttons of capabilities that build on observables. */
  readonly actions?: (observable: Observable) => ReactNode
  /** Further sections, of capabilities that build on observables. */
  readonly children?: (observable: Observable) => ReactNode
}

/** The page of an observable. */
export function ObservablePage({ actions, children }: ObservablePageProps) {
  const may = useMay()
  const { id = '' } = useParams({ strict: false })
  const mayRead = may('read extracts')
  const { data: observable, error } = useQuery({ ...observableQuery(id), enabled: mayRead })
  if (!mayRead)
    return (
      <EmptyState title="You do not have permission to see observables">
        Ask an administrator for the permission “read extracts”.
      </EmptyState>
    )
  if (error instanceof CallError && error.status === 404)
    return (
      <EmptyState title="Observable not found" action={<Link to="/">Search</Link>}>
        It may have been deleted, or it occurs only in entities that you do not have access to.
      </EmptyState>
    )
  if (error && !observable) return <ErrorFaults error={error} />
  if (!observable) return <Skeleton height={320} />
  return (
    <>
      <PageHead title={observable.display_value} description={observable.type} actions={actions?.(observable)} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            {children?.(observable)}
            <Section title="Sightings over time">
              <Sightings id={id} />
            </Section>
            <Section title="Entities">
              <SeenIn id={id} />
            </Section>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
            <Paper withBorder p="md">
              <About observable={observable} />
            </Paper>
            <Section title="Co-occurring observables">
              <Companions id={id} />
            </Section>
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  )
}

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section aria-label={title}>
    <Title order={2} size="h5" mb="xs">
      {title}
    </Title>
    {children}
  </section>
)

function About({ observable }: { readonly observable: Observable }) {
  const { type, value, sources, created_at, last_updated_at } = observable
  const sightings = useQuery(sightingsQuery(String(observable.id)))
  const days = (sightings.data ?? []).map((each) => each.value).sort()
  return (
    <LabelledValues
      values={[
        { label: 'Value', value: <Indicator type={type} value={value} /> },
        { label: 'Type', value: type },
        { label: 'Maliciousness', value: <RateObservable observable={observable} /> },
        { label: 'First seen', value: days[0] ?? '–' },
        { label: 'Last seen', value: days.at(-1) ?? '–' },
        {
          label: 'Sources',
          value:
            sources.length === 0
              ? '–'
              : sources.map((url) => (
                  <div key={url}>
                    <ReferenceName collection="sources" url={url} permission="read sources" />
                  </div>
                )),
        },
        { label: 'First added', value: <Moment at={created_at} /> },
        { label: 'Last updated', value: <Moment at={last_updated_at} /> },
      ]}
    />
  )
}
