import { Badge, Code, Group, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { idOf } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { entityTypeName } from '../../domain/entity-types.ts'
import { Card } from '../../ui/card.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Indicator } from '../../ui/indicator.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { sizeInWords } from '../../ui/size-in-words.ts'
import type { Detonation } from './detonation-queries.ts'
import { VerdictBadge } from './detonation-state.tsx'
import { Screenshots } from './screenshots.tsx'
import { Signatures } from './signatures.tsx'
import { Techniques } from './techniques.tsx'

/** The verdict, the sample and what the sandbox recognised. */
export function ReportSummary({ detonation }: { readonly detonation: Detonation }) {
  const techniques = [
    ...new Set(detonation.attacks.flatMap(({ technique_id, tactic_id }) => technique_id ?? tactic_id ?? [])),
  ]
  const all = [...new Set([...techniques, ...detonation.signatures.flatMap((signature) => signature.techniques)])]
  const isFinished = detonation.state === 'FINISHED'
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, md: isFinished ? 2 : 1 }} style={{ alignItems: 'start' }}>
        {isFinished && <VerdictCard detonation={detonation} />}
        <SampleCard detonation={detonation} />
      </SimpleGrid>
      {isFinished && (
        <>
          <Card title="Signatures" description="What the sandbox recognised in the behaviour of the sample.">
            <Signatures signatures={detonation.signatures} all={all} />
          </Card>
          {techniques.length > 0 && (
            <Card title="Techniques">
              <Techniques ids={techniques} all={all} />
            </Card>
          )}
          <Screenshots screenshots={detonation.screenshots} />
          <ResultEntities detonation={detonation} />
        </>
      )}
    </Stack>
  )
}

function VerdictCard({ detonation }: { readonly detonation: Detonation }) {
  const { verdict, score, families, tags, environment, entity } = detonation
  const mayRead = useMay()('read entities')
  return (
    <Card
      title="Verdict"
      after={<VerdictBadge verdict={verdict} />}
      actions={entity !== null && mayRead && <PageLink to={`/entities/${idOf(entity)}`}>Open as entity</PageLink>}
    >
      <Facts
        columns={2}
        facts={[
          ['Score', score === null ? 'Not scored' : `${score} of 100`],
          ['Families', families.length === 0 ? 'None named' : families.map(defangText).join(', ')],
          ['Environment', environment === null ? 'Not named' : defangText(environment)],
          ['Tags', tags.length === 0 ? 'None' : <Tags key="tags" tags={tags} />],
        ]}
      />
    </Card>
  )
}

const Tags = ({ tags }: Pick<Detonation, 'tags'>) => (
  <Group gap={4}>
    {tags.map((tag) => (
      <Badge key={tag} variant="default" size="sm" radius="xs" tt="none">
        {defangText(tag)}
      </Badge>
    ))}
  </Group>
)

function SampleCard({ detonation }: { readonly detonation: Detonation }) {
  const detonators = useNames('detonators')
  const users = useNames('users')
  const may = useMay()
  const { kind, filename, url, size, hashes, detonator, was_known, created_by, options } = detonation
  const chosen = Object.entries(options).filter(([, value]) => value !== null && value !== undefined && value !== false)
  return (
    <Card title="Sample">
      <Facts
        columns={2}
        facts={[
          ...(kind === 'url'
            ? [['URL', url === null ? '–' : <Indicator key="url" type="uri" value={url} />] as const]
            : [
                ['File', filename === '' ? 'Not named' : filename] as const,
                ['Size', size === null ? '–' : sizeInWords(size)] as const,
              ]),
          [
            'Detonator',
            may('read detonators') ? (
              <PageLink key="detonator" to={`/detonators/${idOf(detonator)}`}>
                {nameOf(detonators, detonator)}
              </PageLink>
            ) : (
              nameOf(detonators, detonator)
            ),
          ],
          ['Requested by', created_by === null ? 'Unknown user' : nameOf(users, created_by)],
          ['Requested', <Moment key="requested" at={detonation.requested_at} />],
          [
            'Submitted',
            was_known ? (
              'Not submitted: the sandbox knew it'
            ) : (
              <Moment key="at" at={detonation.submitted_at} otherwise="Not yet" />
            ),
          ],
          ['Ended', <Moment key="ended" at={detonation.finished_at} otherwise="Not yet" />],
          ['From', <Origins key="from" detonation={detonation} />],
        ]}
      />
      {hashes && (
        <Stack gap={2}>
          {(['md5', 'sha1', 'sha256'] as const).map((name) => (
            <Group key={name} gap="xs" wrap="nowrap" align="baseline">
              <Text size="xs" c="dimmed" w={56} flex="none">
                {HASH_NAMES[name]}
              </Text>
              <Text size="xs" style={{ overflowWrap: 'anywhere' }} component="div">
                <Indicator type={`hash-${name}`} value={hashes[name]} />
              </Text>
            </Group>
          ))}
        </Stack>
      )}
      {chosen.length > 0 && (
        <div>
          <Text size="xs" c="dimmed">
            Options
          </Text>
          <Code style={{ overflowWrap: 'anywhere' }}>
            {chosen.map(([name, value]) => `${name}: ${defangText(String(value))}`).join(', ')}
          </Code>
        </div>
      )}
    </Card>
  )
}

const HASH_NAMES = { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256' } as const

/** The objects that the sample came from. */
function Origins({ detonation }: { readonly detonation: Detonation }) {
  const { origin, file, observable } = detonation
  const links = [
    ['the entity', origin && `/entities/${idOf(origin)}`],
    ['the file', file && `/files/${idOf(file)}`],
    ['the observable', observable && `/observables/${idOf(observable)}`],
  ] as const
  const shown = links.flatMap(([label, to]) => (to ? [{ label, to }] : []))
  if (shown.length === 0) return 'Submitted directly'
  return (
    <Group gap="xs">
      {shown.map(({ label, to }) => (
        <PageLink key={to} to={to}>
          Open {label}
        </PageLink>
      ))}
    </Group>
  )
}

/** The entities that the report was stored as; its observables have a tab of their own. */
function ResultEntities({ detonation }: { readonly detonation: Detonation }) {
  const mayRead = useMay()('read entities')
  const entities = detonation.entities.filter(({ entity_id }) => entity_id !== null)
  if (entities.length === 0) return null
  return (
    <Card title="Stored as">
      <Table aria-label="Entities of the report">
        <Table.Tbody>
          {entities.map(({ entity_id, entity_type, meta_stix_id, value }, i) => (
            <Table.Tr key={entity_id ?? meta_stix_id ?? String(i)}>
              <Table.Td w={160}>{entityTypeName(entity_type)}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {entity_id !== null && mayRead ? (
                  <PageLink to={`/entities/${entity_id}`}>{defangText(value)}</PageLink>
                ) : (
                  defangText(value)
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  )
}
