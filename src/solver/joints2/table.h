/*
 * The table of joint types. A joint type is one file in this folder and one line here, beside its enumerator in
 * trammel/world2.h. The file is included twice: with TR2_JOINT_HOST for the type's info (joint_types.c), with
 * TR2_JOINT_KERNEL in every instruction set's kernels.
 *
 * X(enumerator, name)
 */
#define TR2_JOINT_TYPES(X)                                                                                             \
    X(TR2_REVOLUTE, revolute)                                                                                          \
    X(TR2_DISTANCE, distance)                                                                                          \
    X(TR2_PRISMATIC, prismatic)                                                                                        \
    X(TR2_WELD, weld)                                                                                                  \
    X(TR2_WHEEL, wheel)                                                                                                \
    X(TR2_MOTOR, motor)                                                                                                \
    X(TR2_PULLEY, pulley)                                                                                              \
    X(TR2_GEAR, gear)                                                                                                  \
    X(TR2_LINE, line)                                                                                                  \
    X(TR2_LINEAR_MOTOR, linear_motor)                                                                                  \
    X(TR2_ANGLE, angle)                                                                                                \
    X(TR2_TARGET, target)

/* and the one table behind them */
#define TR2_TABLES(X) TR2_JOINT_TYPES(X) X(TR2_CONTACT, contact)

#if defined(TR2_JOINT_HOST) || defined(TR2_JOINT_KERNEL)
#include "solver/joints2/angle.inl"
#include "solver/joints2/contact.inl"
#include "solver/joints2/distance.inl"
#include "solver/joints2/gear.inl"
#include "solver/joints2/line.inl"
#include "solver/joints2/linear_motor.inl"
#include "solver/joints2/motor.inl"
#include "solver/joints2/prismatic.inl"
#include "solver/joints2/pulley.inl"
#include "solver/joints2/revolute.inl"
#include "solver/joints2/target.inl"
#include "solver/joints2/weld.inl"
#include "solver/joints2/wheel.inl"
#endif
