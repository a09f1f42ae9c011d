/* The numbers by which the direct method decides (docs/exact.md). */
#ifndef TR_SOLVER_EXACT_NUMBERS_H
#define TR_SOLVER_EXACT_NUMBERS_H

/* The compliance of rigid rows as a share of their inverse effective mass: it decides between redundant ones. Of rows
   that are held, least and most: as much as costs this share of a load at the end of a chain of n joints, of which
   4 n^2 times the ratio of masses is a bound; less stiff rows throw less where they are next to dependent, as those of a
   plate on four rods that turns. Islands that are cut, or of which a contact is solved with
   them, have the least. Of those that may come to a bound, which must differ by more than rounding, contacts among them: joints
   may leave much less than that effective mass; of the friction of contacts, between two bodies that move and on one that
   does not. */
#define TR_EXACT_COMPLIANCE_LEAST   1e-11
#define TR_EXACT_COMPLIANCE_MOST    1e-9
#define TR_EXACT_COMPLIANCE_COSTS   1e-6
#define TR_EXACT_COMPLIANCE_BOUNDED 1e-8
#define TR_EXACT_COMPLIANCE_RUB     1e-3
#define TR_EXACT_COMPLIANCE_STAND   1e-4

/* Squares of h and the frequency of a body's turning back, from which on it is slowed down (docs/exact.md); and the
   slowness below which bodies do not move along their curves, nor in proportion with a rotation above this in a
   sub-step, rad. Forces that turn a body back count only if they have for two kicks: in positions in which rows become
   dependent they are large for a moment. */
#define TR_EXACT_STIFF_FROM 0.25
#define TR_EXACT_SLOW_FROM  0.02
#define TR_EXACT_TURN_MOST  0.3
/* How far a held row's rate goes from its curve to minus that before, which does no work; at most so much of the curve;
   and how far its bodies may turn in a sub-step, rad */
#define TR_EXACT_MIRRORED    0.8
#define TR_EXACT_MIRROR_MOST 0.5
#define TR_EXACT_MIRROR_TURN 0.02
/* What held rows may gain by the curves of their bodies where some are slower than this and turn by more than this in a
   sub-step, rad, before these take less of them: of what rows change in the energies of bodies, and of this share of their
   kinetic energies. What turns less gives back what it gains. */
#define TR_EXACT_SLOWED    0.99
#define TR_EXACT_WHIPS     0.005
#define TR_EXACT_GAIN_MOST 0.01
#define TR_EXACT_GAIN_REST 0.001

/* At how many numbers of bodies and rows of contacts the response of an island to its border is found, at most; per impulse
   of 1, what of an impulse with which a stop would have to pull is rounding; below which share of what its bodies would do alone
   an island gives way so little that sweeps must know it; the share of its inverse mass that a body has in these, of what it
   has over four times the masses that touch it; the share of the impulses of a sub-step so far of which a pass over a border
   that adds more is repeated; and the time of the last kick, of a sub-step (exact_border.c). */
#define TR_EXACT_BORDER_NUMBERS 96u
#define TR_EXACT_BORDER_ROWS    768u
#define TR_EXACT_LIFTS          1e-3
#define TR_EXACT_YIELDS_LESS    0.3
#define TR_EXACT_EASE_LEAST     (1.0 / 1024.0)
#define TR_EXACT_EASE_MOST      (1.0 / 16.0)
#define TR_EXACT_PASS_DOES      0.003
#define TR_EXACT_MOMENT         1e-6
/* Stops that are in that response beside the rows that hold, at most, of those that are nearer than this, m in units of the
   world's length or rad; in how many rounds they answer; and the least compliance that they have where contacts are solved at
   once, of how they give way (exact_answer.c, exact_block.c). There: of how many coordinates of bodies, at most; of the impulses
   of contacts, below which changes these are left as they are, pushes are right, or right enough; steps of Newton's method, and
   searches along one, at most; and of the first slope, what is level. */
#define TR_EXACT_BORDER_STOPS   32u
#define TR_EXACT_STOPS_NEAR     0.25
#define TR_EXACT_STOP_ROUNDS    4u
#define TR_EXACT_STOP_GIVES     1e-6
#define TR_EXACT_BLOCK_NUMBERS  48u
#define TR_EXACT_BLOCK_LITTLE   1e-3
#define TR_EXACT_BLOCK_SETTLED  1e-9
#define TR_EXACT_BLOCK_ENOUGH   1e-6
#define TR_EXACT_BLOCK_STEPS    12u
#define TR_EXACT_BLOCK_SEARCHES 16u
#define TR_EXACT_BLOCK_LEVEL    1e-3

/* m/s in units of the world's length, rad/s: greatest speeds at which errors are corrected, and greatest motion of a body
   for it */
#define TR_EXACT_CORRECTS_AT 10.0
#define TR_EXACT_SHIFTS_AT   20.0
/* the compliances of joints and of contacts, as shares of their inverse effective mass, where contacts are held and bodies
   would move farther (exact_solve.c) */
#define TR_EXACT_DAMPS          1e-6
#define TR_EXACT_DAMPS_CONTACTS 1e-1

/* m/s in units of the world's length, rad/s: greatest speeds at which violated stops are closed; and the share that is
   closed in a sub-step */
#define TR_EXACT_CLOSES_AT    1.0
#define TR_EXACT_TURNS_BACK   3.0
#define TR_EXACT_CLOSES_SHARE 0.15

/* m or rad: a stop as near as this has been reached when a step ends, and corrections may pass one by as much; and one that
   has pressed in the kick before, which the drift since may have opened by that */
#define TR_EXACT_REACHED 1e-6
#define TR_EXACT_LEFT    1e-5

/* m in units of the world's length: what a contact is off by because collisions count in floats. A gap below it to what
   does not move is none: it would share the load among points by chance, anew in each step. m or rad: from which on
   violated stops give way to contacts that block them; their compliance leaves less. */
#define TR_EXACT_TOUCHES 1e-7
#define TR_EXACT_BLOCKED 1e-8

/* systems in a kick in which all rows that are wrong change at once, at most, and when that ends if it makes no progress;
   of the greatest number, what of a wrong sign is rounding; and by which share a block may be beyond its bound */
#define TR_EXACT_TRIES       20u
#define TR_EXACT_PATIENCE    4u
#define TR_EXACT_SLACK       1e-10
#define TR_EXACT_BLOCK_SLACK 1e-6
/* of the greatest number, the impulse that a point which does not press may lack */
#define TR_EXACT_PRESS_SLACK 1e-5

/* m/s in units of the world's length, rad/s: by how much the impulse of a stop or of a contact in a kick may change the rate of
   its bodies alone, in islands that touch something: in a vise what contradicts itself gives way; and of those with a border, on
   which heaps may lie that weigh a million times as much */
#define TR_EXACT_YIELDS_AT        1e4
#define TR_EXACT_BORDER_YIELDS_AT 1e7

/* rad: contacts of bodies that have turned by more in a step are found where these are in each kick; else they keep normal and
   arms, off by less than 3 mm for what slides by 5 cm meanwhile */
#define TR_EXACT_FOLLOWS 0.05

/* how many times those of the kick before normal impulses are for which friction is set free */
#define TR_EXACT_LOADED 2.0

/* how often stops are added that corrections would pass, and the compliance of violated ones then, as a share */
#define TR_EXACT_MEETINGS 4u
#define TR_EXACT_YIELDS   1e-2

/* A spring's force is that of the present, changed by this share of what h^2 stiffness times the change of velocity
   gives: with 1/12 a vibration has the right frequency to fourth order, with more than 1/4 it is stable at any h. The
   share grows from one to the other while h times its frequency does from 1/2 to 2. */
#define TR_EXACT_SHARE_LEAST 0.08333333333333333
#define TR_EXACT_SHARE_MOST  0.5

/* By how much a block that slides is more compliant along its vector than across, in Newton's method, so that it can be solved
   for; and how much of its impulse and stiffness is then ahead. */
#define TR_EXACT_ALONG 1e5
#define TR_EXACT_AHEAD (1.0 - 1.0 / TR_EXACT_ALONG)

#endif
