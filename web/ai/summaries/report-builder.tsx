import { Button, Group, Select, SimpleGrid, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { SaveGenerated } from '../../intelligence/save-generated.tsx'
import { AiNote } from '../ai-note.tsx'
import { AiText } from '../ai-text.tsx'
import { AnswerState, Warnings } from '../answer-state.tsx'
import type { Made, UnverifiedValue } from '../made.ts'
import { useAnswer } from '../use-answer.ts'
import { AnswerDialog } from './answer-dialog.tsx'
import { ObservablesChoice } from './observables-choice.tsx'
import { REPORT_TEMPLATES } from './report-templates.ts'

interface Report extends Made {
  readonly title: string
  readonly description: string
  readonly unverified_values: readonly UnverifiedValue[]
  readonly is_cut_off: boolean
}

const TYPES = [
  { value: 'strategic', label: 'Strategic: for decision makers' },
  { value: 'technical', label: 'Technical: for analysts' },
  { value: 'custom', label: 'Custom: follows your template' },
]

interface ReportBuilderProps {
  readonly ids: readonly string[]
  readonly note?: string | undefined
  readonly onClose: () => void
}

/** Writes a report about entities: type, title and template, then a preview, which is saved as an entity. */
export function ReportBuilder({ ids, note, onClose }: ReportBuilderProps) {
  const [type, setType] = useState('strategic')
  const [title, setTitle] = useState('')
  const [template, setTemplate] = useState(REPORT_TEMPLATES[0]?.html ?? '')
  const [instruction, setInstruction] = useState('')
  const [observables, setObservables] = useState<readonly string[]>([])
  const answer = useAnswer<Report>('report')
  const { result } = answer
  const own = type === 'custom' && {
    ...(template.trim() !== '' && { custom_report_template: template }),
    ...(instruction.trim() !== '' && { custom_summary_content_instruction: instruction }),
  }
  const asked = {
    entities: ids,
    summary_type: type,
    ...(title.trim() !== '' && { report_title: title.trim() }),
    ...(observables.length > 0 && { observables: observables.map(Number) }),
    ...own,
  }
  return (
    <AnswerDialog
      onClose={onClose}
      title={`Write a report on ${ids.length === 1 ? '1 entity' : `${ids.length} entities`}`}
      size="60rem"
    >
      <Stack>
        {note && (
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Select
            label="Report type"
            data={TYPES}
            value={type}
            allowDeselect={false}
            onChange={(value) => setType(value ?? 'strategic')}
          />
          <TextInput
            label="Report title"
            placeholder="Written by the model"
            maxLength={500}
            value={title}
            onChange={(event) => setTitle(event.target.value)}
          />
        </SimpleGrid>
        <ObservablesChoice entities={ids} value={observables} onChange={setObservables} />
        {type === 'custom' && (
          <>
            <TemplateInput value={template} onChange={setTemplate} />
            <Textarea
              label="Instruction"
              autosize
              minRows={2}
              maxLength={5_000}
              value={instruction}
              onChange={(event) => setInstruction(event.target.value)}
            />
          </>
        )}
        <Group justify="flex-end">
          <Button
            variant={result ? 'default' : 'filled'}
            disabled={answer.isBusy}
            onClick={() => answer.ask({ ...asked, refresh: result !== null })}
          >
            {result ? 'Write again' : 'Write report'}
          </Button>
        </Group>
        <AnswerState answer={answer} />
        {result && (
          <>
            <section aria-label="Preview">
              <Title order={3}>{result.title}</Title>
              <AiText text={result.description} format="html" unverified={result.unverified_values} />
            </section>
            <Warnings unverified={result.unverified_values} isCutOff={result.is_cut_off} />
            <AiNote made={result} />
            <SaveGenerated
              key={result.generated_by.generated_at}
              made={result}
              title={result.title}
              text={result.description}
              format="html"
              types={['report']}
            />
          </>
        )}
      </Stack>
    </AnswerDialog>
  )
}

interface TemplateInputProps {
  readonly value: string
  readonly onChange: (template: string) => void
}

/** The template of a report, which can start from one of ours. */
const TemplateInput = ({ value, onChange }: TemplateInputProps) => (
  <>
    <Select
      label="Start from"
      placeholder="Your own template"
      allowDeselect={false}
      data={REPORT_TEMPLATES.map(({ name }) => name)}
      value={REPORT_TEMPLATES.find(({ html }) => html === value)?.name ?? null}
      onChange={(name) => {
        const chosen = REPORT_TEMPLATES.find((each) => each.name === name)
        if (chosen) onChange(chosen.html)
      }}
    />
    <Textarea
      label="Template"
      description="HTML: headings stay, and the texts below them are replaced."
      autosize
      minRows={4}
      maxRows={12}
      maxLength={20_000}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  </>
)
