/** Why a job waits, as data: {@link io.github.liquidscheduler.explanation.Explanation}. */
@NullMarked
package io.github.liquidscheduler.explanation;

import org.jspecify.annotations.NullMarked;
