import { templateOf } from './template.ts'

const OPENING = [
  'This activity was first seen on {date} and is attributed to {actor}.',
  'Analysts follow {adjective} activity of {actor} against {sector} organisations in {country}.',
  'Since {month} {year} there has been {adjective} activity around {malware}, reported by {reporter}.',
  'The activity belongs to {campaign}, which {adverb} {past} a {noun} of {organisation}.',
  'Malicious activity against {platform} was noticed by {reporter} on {date}.',
]

const PLAIN_OPENING = [
  'On {date}, {reporter} told of a {adjective} {noun} that belongs to {malware}.',
  '{actor} {past} a {adjective} {noun} in {country} between {date} and {lastDate}.',
  '{campaign} is a series of attacks on the {sector} sector in {country}.',
]

const BODY = [
  '{actor} {adverb} {past} the {noun} with {malware} in order to {infinitive} a {adjective} {noun}.',
  'Victims received a message about {lure}, with a {adjective} {noun} that {adverb} {past} the {noun}.',
  'After the first access the attackers {past} a {noun} and {past} another {adjective} {noun}.',
  'The {noun} talks to its operators over {protocol} and falls back to {protocol} when a {noun} is blocked.',
  'It is {judgement} that {actor} shares a {noun} with the people behind {otherMalware}.',
  'At {organisation} the attackers {adverb} {past} {many} hosts before the {noun} was found.',
  'The sample is a {adjective} {noun} of the {handle} family that {past} the {noun} by {technique}.',
  '{malware} needs the {handle} module and a {adjective} {noun} to {infinitive} the {noun}, which makes detection easier.',
  'The same {noun} was used against {otherSector} companies in {otherCountry} in {year}.',
  'According to {reporter}, {handle} had the {adjective} {noun} for sale for {many} days.',
  'The attackers kept a {adjective} {noun} on {platform} to {infinitive} the {noun} again later.',
  'Defenders should look for a {adjective} {noun} next to a {adjective} {noun}, most of all on {platform}.',
  'The operators {adverb} change their servers, and {few} of them answer only to {protocol}.',
  'A seller who goes by {handle} {past} the {noun} together with {handle}.',
  'Strings in the sample name {handle}, {handle} and a {adjective} {noun}.',
  '{tool} was found on {few} machines, where it {adverb} {past} the {noun}.',
  'The {noun} has a {adjective} {noun} inside, protected by a {adjective} {noun}.',
  'Before {lastDate} the domain pointed to a {adjective} {noun} in {otherCountry}.',
  'Most victims are in {country} and {otherCountry}; a few are in {otherCountry}.',
  'The aim was to {infinitive} the {noun} of {sector} organisations and to {infinitive} every {noun}.',
  'A {adjective} variant of {malware} {past} the {noun} and left the {noun} as it was.',
  'Attribution to {actor} is {judgement}: the {noun} and the {noun} match earlier cases.',
  'The technique is known as {technique}, here combined with {otherTechnique}.',
  'Nothing suggests that the {noun} of {organisation} was {adverb} touched.',
  'The {noun} was signed with a {adjective} {noun} that had been {past} in {otherCountry}.',
  '{otherMalware} arrived {many} minutes later and {past} a {noun}.',
  'In {few} cases the attackers {past} the {noun} by hand, with {tool} and a {adjective} {noun}.',
  'A {noun} with the same {noun} was seen in {campaign}.',
  'The group rents a {adjective} {noun} from {handle} and {adverb} pays with {adjective} money.',
  'Blocking {protocol} to the {noun} stops the {noun}, but not the {adjective} {noun}.',
  'Every {noun} carries a {adjective} {noun}, so that the operators can {infinitive} it.',
  'The {adjective} {noun} was {adverb} {past} by {malware}, as {reporter} confirmed.',
  'Logs of the {noun} show {many} requests from {country} within {few} hours.',
  'There are signs that the {noun} will be used to {infinitive} {otherSector} networks next.',
  'The {noun} checks for a {noun}, a {noun} and a {adjective} {noun} before it starts.',
  'Patches for the {noun} exist; {many} hosts in {country} were still open on {lastDate}.',
  'The code shows the {adjective} style of {handle}, with a {noun} for every {noun}.',
  'Data left the network in a {adjective} {noun} over {protocol}, {adverb} at night.',
  '{actor} asked {organisation} for money and {past} a {noun} on a {adjective} leak site.',
  'Two {adjective} files were {adverb} {past}: a {noun} and a {noun}.',
  'The {noun} was removed on {lastDate}, {few} days after it had been {past}.',
  'Other names for it are in use, but the {noun} is the same {adjective} {noun}.',
  'We keep a {adjective} {noun} of the case and will update this text when the {noun} changes.',
]

/** First sentences with the word that most descriptions have. */
export const commonOpenings = OPENING.map(templateOf)

/** First sentences without that word. */
export const plainOpenings = PLAIN_OPENING.map(templateOf)

/** Further sentences, in any order. Their number is a prime, so that any stride visits each of them once. */
export const bodySentences = BODY.map(templateOf)
