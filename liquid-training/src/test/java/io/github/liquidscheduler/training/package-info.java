/** Tests of the trainers as their users see them. */
@NullMarked
package io.github.liquidscheduler.training;

import org.jspecify.annotations.NullMarked;
