const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Never a name by themselves: they stand for a missing name, or for a kind of thing. */
export const GENERIC_WORDS =
  words(`actor actors adware agent android anonymous apt attack attacker attackers backdoor backdoors banker bot botnet base64 c2 campaign criminal
  criminals cryptominer cybercriminal cybercriminals ddos default domain domains downloader dropper email example exploit file generic group
  groups hacker hackers hacktivist hacktivists hacktool hash identity incident indicator infostealer infrastructure insider ioc ios ip ipv ipv4 ipv6
  java javascript keylogger linux loader location mac macos malicious malware miner misc miscellaneous md5 multiple mp3 mp4 na network nil notapplicable notavailable notspecified none notitle null
  operation other others osx payload phishing powershell proxy python ransomware rat report rootkit sample samples server sha1 sha256 sha512 shell spam spyware
  stealer temp test threat todo tool trojan unidentified unix unknown unnamed unspecified untitled url urls user users various victim victims
  virus vpn web webshell website windows wiper worm tba tbd utf8 utf16 win32 win64 x64 x86`)

/** Names that are also words of everyday English, or of any report. Alone, they count only next to a word such as "ransomware". */
export const COMMON_WORDS =
  words(`able about above access account accounts act action active add admin advanced after again against agency air alert alias alien all alone
  alpha also always am amber america american an analysis anchor and angel animal answer any apple archive are area argue argus ark arm army arrow
  art as ash ask at atlas atom attachment august aurora australia avalanche avenue avoid award awesome axis back bad badge bag balance ball bank
  banks bar base bash basic bat bay be beacon beam bean bear beast beat bee been beetle before behind being bell below best beta better big bill bird
  bit bite black blade blast blaze blind block blood blue board boat body bold bolt bomb bone book boost boot border boss bottle bottom box brain
  branch brave bread break breaker breeze brick bridge bright bronze browser brute bubble buffer build builder bull bullet bundle burn bus business
  but butter butterfly button by cactus cake call caller camel camera can candle candy cannon canvas cap capital car carbon card care cargo carrot
  case cash castle cat catch cave center central chain chair chaos chart chase check cherry chess chicken chief child china chinese choice chrome
  circle citadel city clean clear click client clock close cloud clover club cobalt cobra code coffee coin cold collector color come command comet
  common company compass complete computer connect console contact content control cookie cookies copper copy coral core corner cosmic cost cotton
  count country course cover cow coyote crab craft crane crawler crazy credit creep crescent cricket cross crow crown cry crystal cube cuba cup curl
  curly current cut cyber cycle daily dance danger dark dart dash data date dawn day days dead deal dealer death december deep deer defender delta
  demo demon desert desk desktop device devil diamond dice did die diesel digital direct dirty disk dive do dock doctor document dog dogs dollar
  dolphin done donkey donut door dot double down download dragon dragonfly drain draw dream drive driver drop drum dry duck duke dune dust dynamic each
  eagle early ear earth east eastern easy echo eclipse edge effect egg eight either elastic electric elephant element eleven elite ember emerald empire
  empty end energy engine enter entry epic epsilon equation error escape eternal europe even evening event ever every evil exchange execute exit express eye
  eyes face fact fair fairy falcon fall family fancy far fast fat fate feather february fat federal feed fern ferret few field fight fin final find fine
  finger fire firefly first fish five flag flame flash flax fleet flight float flood floor flow flower fly focus fog fold follow food fool for force
  forest fork form fort fortune forward four fox frame france free fresh friday friend frog from front frost fruit fuel full fun funnel fury fusion
  future galaxy game games gamma garden gate gateway gather gear gem general genesis germany get ghost giant gift glass global globe go goat god gold
  golden good goose gorilla grace grand grape graph grass gravity gray great green grey grid grim ground guard guardian guest guide gulf gun had half
  hammer hand handle happy hard harvest harvester has hat have haven havoc hawk he head hear heart heat heaven heavy hedgehog help helper her hermit hero
  hidden high hill him hippo his history hit hive hold hole hollow holy home honey hood hook hope horn horse host hot hound hour house how human
  hummingbird hunt hunter hydra ice icon idea if image immortal impact in india industry ink insect inside instance intelligence interface internet into
  invoice iran iron is island it its ivory jackal jackpot jade jaguar january japan jester jet job join joker joy judgment juice july jump june jungle
  jupiter just karma keep kettle key keys kid kill killer kind king kingdom kit kite kitten knife knight know korea label ladder lady lake lamb lamp land
  large laser last late latest launch lava law layer lazy lead leader leaf leak learn leave left legacy legend legion lemon leopard let letter level
  liberty library life lift light lightning like lily lime line link lion liquid list little live lizard load local lock locker locust log logic login
  long look loop lord loss lost lotus loud love low luck lucky luna lunar lynx machine macro mad magic magician magnet mail main major make mammoth man
  manager mango manner mantis many map maple march mark market mars mask master match matrix matter may maze me mean medusa mega member memory menu
  mercury message metal meteor method mew middle midnight might mile milk mill mind mine mint minute mirage mirror mist mix mobile mode model modern
  module monday money monitor monkey monolith monster month moon more morning moth mother motion mount mountain mouse move much mud mule music must
  my mystery mystic name native nature near nebula neck need neo neon nest net neutral never new news next night nightmare nimble nine ninja no noble
  node north northern not note nova november now nucleus null number oak oasis object obsidian ocean october octopus of off office old olive olympic omega on
  once one onion online only onyx open operator opera option or orange orbit orca orchid order origin osprey out outlaw outlook over owl own owner ox
  packet page paint pair palace palm panda panel panther paper parallel parrot part partner party pass password past patch patchwork path pay peace peach
  peacock pear pearl pen penguin people pepper perfect permission person phantom phishing phone phoenix photo piece pig pigeon pilot pin pine ping pink
  pioneer pipe pirate pixel place plague plain plan planet plant plasma play player plead please plug plus point poison poker polar police policy pond pony pool
  port portal possible post pot power predator premium present press prime prince print printer private process product program project prometheus
  protect protocol proton proud public pull pulse puma pump punch puppet purple push put puzzle python quantum quarter quartz queen quest question quick
  quiet rabbit race radar radio rage rail rain rainbow ram range ranger rapid rare raspberry rat raven raw ray razor reach read reader ready real reaper
  reason rebel recent record recover red reflection reg region release remote replay request rescue reset resource responder rest result return reveal
  reverse review revolution rhino rice rich ride right ring rise river road robin robot rock rocket roman room root rope rose rough round route rover row
  royal ruby rule run runner rush russia russian sad safe safety sage sail saint sale salmon salt same sample sand sandbox sandman sapphire saturday
  saturn save saw say scale scan scanner scarab scarlet school score scorpion scout screen script sea seal search second secret section secure security
  see seed select self send sensor september sequence series server service set seven shade shadow shark sharp she shield shift shine ship shock shop short
  shot show shutdown side sigma sign signal silence silent silk silver simple since single site six skeleton skull sky sleep slide slow small smart smoke
  smooth snail snake sniper snow so social socks soft solar soldier solid some song sonic soon soul sound source south southern space spark sparrow spear
  special speed sphere spider spike spirit split spoof spring sprite spy squad square squirrel stable stack staff stage stalker star start state station
  stealth steam steel step still sting stone stop storage store storm stormy story stranger stream street strike string strong structure style sub such
  sugar summer sun sunday sunrise sunset super support sure surface swan sweet swift switch sword symbiote symbol system table tag tail take talk tan tank
  target task team tech tell template ten terminal test text than that the them then there these they thief thin thing third this thor thorn thread
  three throne through thunder thursday tick tide tiger time tin tiny titan title to today together token tomorrow too tools top torch torrent
  total touch tower town trace track trade traffic trail train transfer transparent trap travel tree triangle trick trident trigger trinity triple
  trophy true trust truth try tuesday tulip tunnel turkey turtle twin twist two type typhoon ukraine ultra umbrella under union unit united
  universal up update upper upon urban us use user valley value vault vector velvet venom venus version very vice video view village violet viper virtual
  vision voice void volcano volt vortex vulture wait walk wall wanderer want war warden warm warning warrior was wash wasp watch water wave way we weak
  weasel weather weaver wednesday week well west western whale what wheel when where which whisper white who whole why wicked wide wild will win wind window
  wine wing winter wire wise wish witch with wizard wolf wolverine woman wonder wood word work worker world worm wrong year yellow yes yesterday yet york
  you young your zebra zen zero zeta zone`)

/** Words next to which a common word is a name: "Play ransomware", "the group Royal". */
export const KIND_WORDS =
  words(`actor actors affiliate affiliates apt backdoor botnet bot cluster collective crew cryptominer downloader dropper family
  framework gang group groups hackers implant infostealer keylogger loader malware miner operator operators ransomware rat rootkit spyware
  stealer syndicate team toolkit tool trojan utility variant wiper worm dubbed aka called named codenamed`)
