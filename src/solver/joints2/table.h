/*
 * The types of joints are those of TR2_JOINT_TYPES in trammel/joints2.h: a line there, and a file of that name in this
 * folder. A file is included three times: with TR2_JOINT_HOST for the type's info (joint_types.c), with TR2_JOINT_KERNEL in
 * every instruction set's kernels, with TR2_JOINT_LOOK for its drawing (cli/picture_joints.c).
 */
#include "trammel/joints2.h"

/* and the one table behind them */
#define TR2_TABLES(X) TR2_JOINT_TYPES(X) X(TR2_CONTACT, contact)

/* the build makes it: an #include of each file of this folder */
#include "joint_files.h"
