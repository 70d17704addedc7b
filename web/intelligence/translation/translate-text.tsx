import { Button, Group, Select, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { LANGUAGES } from '../../../server/domain/languages.ts'
import { AiNote } from '../../ai/ai-note.tsx'
import { AnswerState } from '../../ai/answer-state.tsx'
import { useAnswer } from '../../ai/use-answer.ts'
import { ValueWarning } from '../../ai/value-warning.tsx'
import { DEFAULT_LANGUAGE, type Translation } from './translation.ts'

interface TranslateTextProps {
  readonly text: string
  readonly onChange: (text: string) => void
  /** The colour that the text has in the form. */
  readonly tlp: string
  /** The id of the entity that the text belongs to; undefined for a new one. */
  readonly entity: string | undefined
}

/** Translates the text of a form, which stays next to its translation until that is used. */
export function TranslateText({ text, onChange, entity, tlp }: TranslateTextProps) {
  const [language, setLanguage] = useState(DEFAULT_LANGUAGE)
  const [sent, setSent] = useState(text)
  const answer = useAnswer<Translation>('translation')
  const { result } = answer
  const start = () => {
    setSent(text)
    void answer.ask({ text, target_language: language, entity: entity ?? null, tlp_color: tlp })
  }
  return (
    <Stack gap="sm">
      <Group align="end">
        <Select
          label="Language"
          data={[...LANGUAGES]}
          value={language}
          onChange={(chosen) => setLanguage(chosen ?? DEFAULT_LANGUAGE)}
          searchable
          allowDeselect={false}
        />
        <Button variant="light" disabled={answer.isBusy} onClick={start}>
          Translate
        </Button>
      </Group>
      <AnswerState answer={answer} doing="Translating" />
      {result && (
        <Draft
          key={result.generated_by.generated_at}
          translation={result}
          isOutdated={sent !== text}
          onUse={onChange}
        />
      )}
    </Stack>
  )
}

interface DraftProps {
  readonly translation: Translation
  /** Whether the text has been edited since it was sent. */
  readonly isOutdated: boolean
  readonly onUse: (text: string) => void
}

function Draft({ translation, isOutdated, onUse }: DraftProps) {
  const [draft, setDraft] = useState(translation.translation ?? '')
  const [isUsed, setIsUsed] = useState(false)
  const { unverified_values } = translation
  return (
    <>
      <ValueWarning values={unverified_values} />
      <Textarea
        label="Translation"
        autosize
        minRows={2}
        maxRows={16}
        value={draft}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      />
      <Group>
        <Button
          size="compact-sm"
          disabled={isOutdated || isUsed || draft.trim() === ''}
          onClick={() => {
            setIsUsed(true)
            onUse(draft)
          }}
        >
          Replace description
        </Button>
        {isUsed ? (
          <Text size="sm" role="status">
            Replaced. It is saved with the form.
          </Text>
        ) : (
          isOutdated && (
            <Text size="sm" c="dimmed">
              The text has changed since.
            </Text>
          )
        )}
      </Group>
      <AiNote made={translation} />
    </>
  )
}
