package english

import "sync"

// bidding are verbs outside the vocabulary that a request may begin with. What a
// word of them and a noun begin, "kick mugs up 5%", may be no name; "pencil cases up 5%"
// is one. Verbs that stand before nouns of goods, as in paint brushes, are left out
// where they say nothing of prices.
var bidding = sync.OnceValue(func() map[string]bool {
	return set(`abandon absorb accelerate accept access accommodate accompany achieve acquire activate adapt address adhere
admit adopt advance advertise advise afford aggregate agree aim alert align allocate allow amass analyse
analyze annotate announce anticipate append appoint appraise approach approve argue arm arrange arrest ascend
ask assemble assert assess assist assume attach attack attain attempt attend attract authorise authorize
automate avoid await award back backdate bail ban bang bargain bash batch bathe beat beg begin believe bend
benefit bet bid bind bite blame blast bleed blend bless blow bolster borrow bother bound break brief brighten
broaden browse budget build bully burst bury buy bypass calculate calibrate call calm campaign capture carry
carve cause caution cease celebrate challenge champion chase check chew chill choose circulate claim clarify
clash clean clear click climb clobber clone close coax collapse collect combat combine come command comment
commit communicate compare compel compensate compete compile complain compose compress compute concentrate
conclude condense conduct confine confirm connect conquer consider consolidate constrain construct consult
consume contain continue contract contribute control convert convey convince coordinate cope correct crack
cram crash crawl creep crimp cripple crumble crunch cull curb cure curtail customise customize dab damage
dampen dash debate debit decide deepen defeat defend defer define deflate degrade delay delegate deliver
demolish demote deny depart depend depict deploy derive descend describe deserve desire destroy detach detect
deter determine develop deviate devise diagnose dig dilute dim diminish dip direct disband discard discharge
disclose discover discuss dismiss dispatch dispose distribute ditch divert divide do donate dose double
downgrade downplay downsize draft drag drain draw dream drive drown dry earn ease eat echo edge educate eject
elaborate elect embed embrace emit emphasise emphasize employ empty enact encourage end endorse enforce engage
enhance enjoy enlarge enlist enrich enrol enter entertain entice equip escape escort establish estimate
evaluate evict evolve examine exceed exchange excuse exempt exit expand expect expedite explore expose express
extend extract fabricate facilitate factor fade fail fasten fatten favor favour fear feature feel fetch fight
fill find fine fit flatten flaunt flee flick fling flip flog flush follow forbid force forecast forego forgive
formalise formulate forward foster freeze frighten furnish fuse gather gauge generate glance govern grab grant
grasp greet grind group grow guarantee guess hack haggle halt handle hang happen harden harm harmonise hasten
hatch hate haul heal heap hear heave heft help hide highlight hire hit hitch hoard hoick hold hope hover
huddle hug hurl hurry hush identify ignore illuminate illustrate imagine imitate impact import improve impute
inch incline include incorporate incur indicate induce inform inherit inhibit initiate inject injure innovate
inquire inspect inspire install instruct insulate insult insure integrate intend intensify interest interpret
interrupt introduce invade invent invest investigate invite invoice involve isolate itemise jack jail jerk
jiggle join joke jolt jostle juggle jumble jump justify keep kick kill knead kneel know lack last laugh launch
launder lay lead leak lean leap learn leave lend lengthen lessen level lever levy lick lift lighten like limit
linger liquidate listen live load lob lock look loosen loot lug lump magnify maintain manage mandate
manipulate manufacture marry mash match matter mature maximise maximize mean measure meet melt mend mention
merge mess migrate mimic mince minimise minimize mislead miss mix moan mobilise mock moderate modernise
motivate mourn multiply muster mute name narrow navigate neaten need neglect negotiate nick nip nominate
normalise normalize notch notice notify number nurture obey oblige observe obtain occupy offload offset omit
open operate oppose opt order organise organize orient oust outbid outline outlive outrun outsell overcharge
overhaul overlook override oversee overtake overturn owe own pace pamper part pass pave pay peddle peg
penalise penalize perfect perform permit persuade phase pile pinch pitch pity place plan plead please plough
plow pluck plump plunge plunk ply point poke position possess postpone pour practise praise pray preach
precede predict prefer prepare prescribe preserve presume prevent prioritise prioritize process procure prod
profit progress prohibit project prolong promise promote prompt prop propel propose protect prove provide
provoke prune publicise pull pump punch punish purchase pursue qualify quantify quash question queue quicken
quiet quit quote radiate raid rally ram ramp rank rat rate ration rattle reach react read ready realign
realise realize reassign rebalance rebate rebuild recalculate recalibrate recall recheck reckon recognise
recommend reconcile reconsider recoup recover recruit rectify recycle redeem redirect redistribute refer
refine reflect reform refresh refuse regain regard register regret regulate rehearse reinforce rejig relate
relax relay release relieve relocate rely remain remark remedy remind render renegotiate renew renovate rent
reorder reorganise repack repair repay repeat replace replenish report represent request rescue research
reserve reshape resist resize resolve respect restrain restrict restructure resubmit retain rethink retouch
retrieve return reveal review revisit revive reward rework rewrite rid rip risk rob roll rotate round ruin run
sack sacrifice safeguard salvage satisfy savage save scan scare scatter schedule scoop scoot score scour scrap
scrape scratch search secure seek seem seize select send separate serve settle shake shape share sharpen shear
shelve shift shock shoot short shorten shout shove shovel shred shrug shuffle shut silence simplify sing sip
sit size skim skimp skip slacken slam slant sling slow slump smack smash smell smile smooth smuggle snag
snatch sneak sniff snip soak soar soften solve sort sow span spare speak specify speed spend spike spill spit
split spoil sponsor spread spring sprinkle spur squash squeeze stabilise stabilize stack stagger stand
standardise standardize stare start starve stave stay steady steal steepen steer step sterilise stiffen stifle
stimulate stipulate stir stoke stop strain streamline strengthen stretch strike structure struggle stuff stun
submit substitute succeed sue suffer suggest summarise supervise supplement supply support suppress surge
surpass surprise surrender survey survive suspect suspend sustain swallow swap swat sway swear sweep sweeten
swell swerve swing swipe sync synchronise tackle tailor taint talk tame tamper tap taper target teach tease
tell temper tempt tend tender terminate terrorise test thank thaw thicken thin think thrash threaten thrive
throttle thrust thump tick tickle tidy tighten tilt toggle tolerate topple torture toss total toughen tow
trace transfer transform translate transmit transport treat treble tremble triage trickle trigger trot trouble
trounce truncate trust try tuck tug tumble unblock uncap uncover undercut undergo undermine understand
undertake undo unfreeze unify unite unload unlock unpack unveil upend upgrade uphold uplift uprate upsell
upset upsize urge utilise utilize value vanish vary veer venture verify violate void volunteer vote wag wager
wait waive wake wallop wander want warn warp warrant waver weaken wear weave weigh welcome weld whisk
whisper whiten whittle widen winch wink winnow wish withdraw withhold withstand witness wonder worry worsen
worship wound wreck wrench wrestle wring yank yell yield zap zero zip zoom`)
})

// IsVerb reports whether a word of a name could be a verb that nothing knows, or a slip
// of "please", as it begins a request: kick, and neither kicks nor kicking.
func IsVerb(word string) bool { return bidding()[word] || Distance(word, "please") == 1 }
