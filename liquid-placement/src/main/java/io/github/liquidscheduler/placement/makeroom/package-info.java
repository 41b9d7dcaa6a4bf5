/**
 * Which running jobs have to leave so that another fits. The entry is {@link
 * io.github.liquidscheduler.placement.makeroom.MakeRoom}.
 */
@NullMarked
package io.github.liquidscheduler.placement.makeroom;

import org.jspecify.annotations.NullMarked;
