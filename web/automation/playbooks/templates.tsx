import { Button, List, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMay } from '../../api/session.ts'
import { Card } from '../../ui/card.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { readDraft } from './editor/draft.ts'
import { type Names, useReferenceNames } from './names.ts'
import { PLAYBOOKS, type StepKind, type Template } from './playbook.ts'
import { stepKindsQuery, templatesQuery } from './playbook-queries.ts'
import { stepSentence } from './step-words.ts'
import { triggerInWords } from './trigger-words.ts'

/** The gallery of ready-made playbooks. */
export function PlaybookTemplates() {
  const canRead = useMay()('read playbooks')
  const templates = useQuery({ ...templatesQuery, enabled: canRead })
  const kinds = useQuery({ ...stepKindsQuery, enabled: canRead })
  const names = useReferenceNames()
  if (!canRead)
    return (
      <>
        <PageHead title="Ready-made playbooks" />
        <NoPermission permission="read playbooks" />
      </>
    )
  return (
    <>
      <PageLink to={PLAYBOOKS.page} size="xs">
        {PLAYBOOKS.title}
      </PageLink>
      <PageHead
        title="Ready-made playbooks"
        description="Choose one, say what it works with, and adapt it. It runs only once you activate it."
      />
      <LoadFault query={templates} />
      {templates.isPending && <Skeleton h={300} role="status" aria-label="Loading ready-made playbooks" />}
      <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>
        {templates.data?.map((template) => (
          <TemplateCard key={template.name} template={template} kinds={kinds.data ?? []} names={names} />
        ))}
      </SimpleGrid>
    </>
  )
}

interface TemplateCardProps {
  readonly template: Template
  readonly kinds: readonly StepKind[]
  readonly names: Names
}

function TemplateCard({ template: { name, title, explanation, playbook }, kinds, names }: TemplateCardProps) {
  const mayCreate = useMay()('modify playbooks')
  const navigate = useNavigate()
  const draft = readDraft(playbook)
  return (
    <Card title={title} isTall>
      <Text size="sm">{explanation}</Text>
      {draft && (
        <Stack gap={4}>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }} lineClamp={3}>
            {triggerInWords(draft.trigger)}
          </Text>
          <List type="ordered" size="sm" c="dimmed">
            {draft.steps.map((step, i) => {
              const { condition, words } = stepSentence(draft.steps, i, kinds, names)
              return <List.Item key={step.id}>{condition ? `${condition}: ${words}` : words}</List.Item>
            })}
          </List>
        </Stack>
      )}
      {mayCreate && (
        <Button
          variant="light"
          style={{ alignSelf: 'flex-start', marginTop: 'auto' }}
          aria-label={`Use this playbook: ${title}`}
          onClick={() => void navigate({ to: '/playbooks/new', search: { template: name } } as never)}
        >
          Use this playbook
        </Button>
      )}
    </Card>
  )
}
